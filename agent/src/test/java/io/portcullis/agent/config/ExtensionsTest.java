package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.extension.ExtensionJarFixture;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.Extensions.Extension;
import io.portcullis.agent.runtime.RuleFactory;
import io.portcullis.election.ListenerFactory;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.extension.RefusalAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jars that a configuration names: what is used of them, and what is refused. */
class ExtensionsTest {
  private static final String REFERENCE =
      "timing { lease = 9s, first-election = at-once,\n"
          + "drift = 1%, drain = 1s, ask-timeout = null, longest-lease = null }\nshelf { board = 1 }";
  private static final String NO_LISTENER =
      "public io.portcullis.election.ElectionListener listen("
          + "io.portcullis.election.config.ElectionConfig e) { return null; }";

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder).ruleCheck(new RuleFactory());
  }

  private static String backend(String name) {
    return "public String name() { return \""
        + name
        + "\"; }\n"
        + "public io.portcullis.election.backend.StorePlan plan(String s, String e,\n"
        + " io.portcullis.election.backend.Settings all) {\n"
        + "  all.section(name()).refuse(\"board\", \"was \" + all.section(name()).number(\"board\","
        + " 0, 9)); return null; }";
  }

  private static String action(String name) {
    return "public String name() { return \""
        + name
        + "\"; }\n"
        + "public boolean canAnswer(io.portcullis.rules.extension.RefusedMethod m) { return true; }\n"
        + "public Object answer(io.portcullis.rules.extension.RefusedMethod m,"
        + " io.portcullis.gate.NotLeaderException refused) { throw refused; }";
  }

  private static ExtensionJarFixture listener(String more) {
    return new ExtensionJarFixture().service(ListenerFactory.class, "Ears", more + NO_LISTENER);
  }

  private static Arguments unfit(ExtensionJarFixture jar, String... said) {
    return Arguments.of(jar, said);
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        unfit(
            new ExtensionJarFixture().file("a.txt", "a"), "contains nothing", "META-INF/services"),
        unfit(
            new ExtensionJarFixture()
                .file("META-INF/services/" + Backend.class.getName(), "ext.Gone"),
            "Backend could not be made",
            "ext.Gone"),
        unfit(
            listener("public Ears() { throw new IllegalStateException(\"no license\"); } "),
            "ListenerFactory could not be made",
            "no license",
            "leave it out"),
        unfit(listener("public Ears() { throw new AssertionError(\"no luck\"); } "), "no luck"),
        unfit(listener("static { if (true) throw new Error(\"no start\"); } "), "no start"),
        unfit(listener("public Ears(int size) { } "), "could not be made"),
        unfit(
            listener("static { io.portcullis.agent.runtime.AgentVersion.text(); } "),
            "io.portcullis.agent.runtime.AgentVersion is not published"),
        unfit(
            new ExtensionJarFixture()
                .service(Backend.class, "Store", backend("redis"))
                .file("ext/reference.conf", REFERENCE),
            "contains a backend 'redis'",
            "choose another name"),
        unfit(
            new ExtensionJarFixture()
                .service(Backend.class, "Store", backend("trial"))
                .file("ext/reference.conf", REFERENCE),
            "contains a backend 'trial'"),
        unfit(
            new ExtensionJarFixture()
                .service(Backend.class, "Store", backend("settle"))
                .file("ext/reference.conf", REFERENCE),
            "contains a backend 'settle'"),
        unfit(
            new ExtensionJarFixture().service(Backend.class, "Store", backend("shelf")),
            "no reference.conf",
            "sections timing and shelf"),
        unfit(
            new ExtensionJarFixture()
                .service(Backend.class, "Store", backend("shelf"))
                .file("ext/reference.conf", "timing { }"),
            "reference.conf that does not match"),
        unfit(
            new ExtensionJarFixture()
                .service(Backend.class, "Store", backend("shelf"))
                .file("ext/reference.conf", "timing {"),
            "no readable reference.conf"),
        unfit(
            new ExtensionJarFixture().service(Backend.class, "Store", backend("a b")),
            "ext.Store has no name of letters"),
        unfit(
            new ExtensionJarFixture().service(RefusalAction.class, "Act", action("throw")),
            "contains an action 'throw'"),
        unfit(
            new ExtensionJarFixture()
                .service(RefusalAction.class, "Act", action("a"))
                .service(RefusalAction.class, "Too", action("a")),
            "contains 'a' twice"));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void unusableJarIsRefusedWithPlaceAndRemedy(ExtensionJarFixture jar, String... said) {
    jar.to(folder, "my.jar");
    trial.with("extensions = [ my.jar ]");

    assertThat(trial.problems()).hasSize(1);
    assertThat(trial.problems().get(0))
        .startsWith("agent.conf:2: portcullis.extensions")
        .contains(folder.resolve("my.jar").toString())
        .contains(said);
  }

  @Test
  void allUnreadableJarsAreReportedAtOnce() throws IOException {
    Files.createDirectory(folder.resolve("folder.jar"));
    Files.writeString(folder.resolve("text.jar"), "no zip");
    Files.writeString(folder.resolve("empty.jar"), "");
    trial.with(
        "extensions = [ gone.jar, folder.jar, text.jar, empty.jar, gone.jar, \"a\\u0000b\" ]");

    assertThat(trial.problems())
        .anyMatch(text -> text.contains("gone.jar does not exist; name a jar"))
        .anyMatch(text -> text.contains("folder.jar is no file"))
        .anyMatch(text -> text.contains("text.jar is not a jar"))
        .anyMatch(text -> text.contains("empty.jar is not a jar"))
        .anyMatch(text -> text.contains("gone.jar is named twice"))
        .anyMatch(text -> text.contains("is not a valid file path"))
        .hasSize(6);
  }

  @Test
  void twoJarsCannotDefineTheSameName() {
    new ExtensionJarFixture()
        .service(RefusalAction.class, "Act", action("tell"))
        .to(folder, "a.jar");
    new ExtensionJarFixture()
        .service(RefusalAction.class, "Act", action("tell"))
        .to(folder, "b.jar");
    trial.with("extensions = [ a.jar, b.jar ]");

    assertThat(trial.problems()).hasSize(1);
    assertThat(trial.problems().get(0))
        .contains("b.jar contains an action 'tell', as an earlier extension");
  }

  @Test
  void extensionBackendIsSelectableAndItsKeysAreChecked() {
    new ExtensionJarFixture()
        .service(Backend.class, "Store", backend("shelf"))
        .file("ext/reference.conf", REFERENCE)
        .service(RefusalAction.class, "Act", action("tell"))
        .service(ListenerFactory.class, "Ears", NO_LISTENER)
        .to(folder, "my.jar");
    trial.file(
        """
        portcullis {
          service = orders
          extensions = [ my.jar ]
          elections.writer { backend = shelf, shelf { board = 3, bored = 1 } }
          rules = [
            { id = a, match = "a.B#c()", action = tell }
            { id = b, match = "a.B#c()", action = tall }
          ]
        }
        """);

    assertThat(trial.problems())
        .anyMatch(text -> text.contains("shelf.board") && text.contains("was 3"))
        .anyMatch(text -> text.contains("bored") && text.contains("did you mean board?"))
        .anyMatch(text -> text.contains("no action 'tall'") && text.contains("tell, throw"))
        .hasSize(3);
  }

  @Test
  void jarsAreOpenedOnceAndOnlyAtStart() {
    listener("").to(folder, "a.jar");
    listener("").to(folder, "b.jar");
    ExtensionRegistry shelf = new ExtensionRegistry();
    trial.shelf(shelf).with("extensions = [ a.jar ]");
    Extension first = trial.load().interfaces().extensions().list().get(0);
    shelf.seal();

    assertThat(trial.load().interfaces().extensions().list()).containsExactly(first);
    assertThat(first).hasToString(folder.resolve("a.jar") + ": 1 listener");
    trial.with("extensions = [ a.jar, b.jar ]");
    assertThat(trial.problems()).hasSize(1);
    assertThat(trial.problems().get(0)).contains("b.jar was not named when this JVM started");
  }

  @Test
  void extensionSeesPublishedPackagesOnly() throws Exception {
    listener("").to(folder, "a.jar");
    trial.with("extensions = [ a.jar ]");
    ListenerFactory factory = trial.load().interfaces().extensions().listeners().get(0);
    ClassLoader loader = factory.getClass().getClassLoader();

    assertThat(loader.loadClass("io.portcullis.election.machine.Leader")).isNotNull();
    assertThat(loader.loadClass("org.slf4j.Logger")).isSameAs(org.slf4j.Logger.class);
    assertThat(loader.loadClass("java.sql.Connection")).isNotNull();
    assertThat(
            Stream.of(
                "io.portcullis.election.engine.Engine",
                "io.portcullis.agent.runtime.AgentEngineStart",
                "io.portcullis.agent.PortcullisAgent",
                "io.portcullis.rules.weave.Weaver",
                "net.bytebuddy.ByteBuddy",
                "com.typesafe.config.Config"))
        .allSatisfy(name -> assertThat(loadable(loader, name)).as(name).isFalse());
    assertThat(ExtensionRegistry.isExtensionLoader(loader)).isTrue();
    assertThat(ExtensionRegistry.isExtensionLoader(new ClassLoader(loader) {})).isTrue();
    assertThat(ExtensionRegistry.isExtensionLoader(ExtensionsTest.class.getClassLoader()))
        .isFalse();
  }

  private static boolean loadable(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
