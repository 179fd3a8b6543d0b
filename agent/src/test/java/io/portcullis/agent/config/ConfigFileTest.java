package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.AgentConfig.LogSection;
import io.portcullis.agent.config.AgentConfig.Mode;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file is read, how, and what else is not. */
class ConfigFileTest {
  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  @Test
  void agentArgumentPrecedesPropertyVariableAndDefault() {
    trial.file("agent.conf", named("by-default")).file("v.conf", named("by-variable"));
    trial.file("p.conf", named("by-property")).file("a.conf", named("by-argument"));

    assertThat(trial.argument(null).load().service()).isEqualTo("by-default");
    trial.variable("PORTCULLIS_CONFIG", "v.conf");
    assertThat(trial.argument("").load().service()).isEqualTo("by-variable");
    trial.property("portcullis.config", folder.resolve("p.conf").toString());
    assertThat(trial.load().service()).isEqualTo("by-property");
    assertThat(trial.argument("a.conf").load().service()).isEqualTo("by-argument");
    assertThat(trial.load().files().main()).isEqualTo(folder.resolve("a.conf"));
  }

  private static String named(String service) {
    return ConfigFixture.RIGHT.replace("service = orders", "service = " + service);
  }

  @Test
  void missingFileIsReportedWithTheSourceOfItsName() {
    assertThat(trial.argument("none.conf").problems())
        .containsExactly(
            "none.conf: the configuration "
                + folder.resolve("none.conf")
                + " does not exist (named by the agent's argument)");
    assertThat(trial.argument(null).problems())
        .singleElement()
        .asString()
        .startsWith(
            "agent.conf: the configuration "
                + folder.resolve("agent.conf")
                + " does not exist (looked for in the working");
  }

  @Test
  void folderInsteadOfFileIsRefused() {
    assertThat(trial.argument(".").problems())
        .containsExactly(
            ".: the configuration "
                + folder
                + " is a folder, not a file (named by the agent's argument)");
  }

  @Test
  void fileMustBeUtf8() throws IOException {
    Files.write(folder.resolve("agent.conf"), new byte[] {'a', '\n', 'b', (byte) 0xFF, '\n'});

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:2: the configuration "
                + folder.resolve("agent.conf")
                + " is not UTF-8 (named by the agent's argument)");
  }

  @Test
  void fileSizeIsLimited() {
    trial.file("#".repeat(1024 * 1024 + 1));

    assertThat(trial.problems()).singleElement().asString().contains("is longer than 1024 KiB");
  }

  @Test
  void syntaxErrorIsReportedWithItsLine() {
    trial.file("portcullis {\n  service = a\n  elections {\n    w { backend = = x }\n}\n");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:4: not HOCON: ")
        .doesNotContain("file#");
  }

  @Test
  void missingRootSectionIsReported() {
    trial.file("portculis { service = a }");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf: there is no section portcullis; write everything inside portcullis { … }",
            "agent.conf:1: portculis: unknown section; did you mean portcullis?");
  }

  @Test
  void emptyFileIsReported() {
    trial.file("");

    assertThat(trial.problems()).singleElement().asString().contains("no section portcullis");
  }

  @Test
  void rulesOutsideTheRootSectionAreRefused() {
    trial.file(ConfigFixture.RIGHT + "\nrules = [ { id = x, match = y } ]");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:14: rules = ")
        .contains("is outside portcullis { … }");
  }

  @Test
  void namesOutsideTheRootCanBeSubstituted() {
    trial.file("vars { name = orders }\n" + named("${vars.name}"));

    assertThat(trial.load().service()).isEqualTo("orders");
  }

  @Test
  void allMissingVariablesAreReportedWithTheirLines() {
    trial.with("mode = ${MODE}\nnode.id = ${?NODE}\nhttp.port = ${PORT}");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:2: portcullis.mode: ${MODE} is neither a key of this file nor an"
                + " environment variable; set it, or write ${?MODE} if it may be missing",
            "agent.conf:4: portcullis.http.port: ${PORT} is neither a key of this file nor an"
                + " environment variable; set it, or write ${?PORT} if it may be missing");
  }

  @Test
  void missingVariableInTextOrListIsReportedWithItsKey() {
    trial.with("node.id = \"n-\"${ZONE}\nrule-sets = [ ${SETS} ]");

    assertThat(trial.problems())
        .anyMatch(line -> line.startsWith("agent.conf:2: portcullis.node.id: ${ZONE} is neither"))
        .anyMatch(line -> line.startsWith("agent.conf:3: portcullis.rule-sets: ${SETS} is neither"))
        .hasSize(2);
  }

  @Test
  void cyclicSubstitutionIsReported() {
    trial.file("portcullis { service = ${portcullis.mode}, mode = ${portcullis.service} }");

    assertThat(trial.problems()).singleElement().asString().contains("form a cycle");
  }

  @Test
  void filesInTheSameFolderCanBeIncluded() {
    trial.file("conf/agent.conf", "include \"more/base.conf\"\n" + named("mine"));
    trial.file("conf/more/base.conf", "include \"log.conf\"\nportcullis.http.port = 77");
    trial.file("conf/more/log.conf", "portcullis { log { include \"level.conf\" } }");
    trial.file("conf/more/level.conf", "level = ${LEVEL}");
    trial.argument("conf/agent.conf").variable("LEVEL", "warn");

    AgentConfig config = trial.load();

    assertThat(config.interfaces().http().port()).isEqualTo(77);
    assertThat(config.interfaces().log().level()).isEqualTo(LogSection.Level.WARN);
  }

  @Test
  void problemInAnIncludedFileNamesThatFile() {
    trial.file("conf/agent.conf", "include \"base.conf\"\n" + ConfigFixture.RIGHT);
    trial.file("conf/base.conf", "\nportcullis.mod = x");

    assertThat(trial.argument("conf/agent.conf").problems())
        .containsExactly("conf/base.conf:2: portcullis.mod: unknown key; did you mean mode?");
  }

  @Test
  void syntaxErrorInAnIncludedFileNamesThatFile() {
    trial.file("include \"base.conf\"\n" + ConfigFixture.RIGHT).file("base.conf", "\n\na = = b");

    assertThat(trial.problems()).singleElement().asString().startsWith("base.conf:3: not HOCON");
  }

  @Test
  void includesOfUrlsAndClassPathAreRefused() {
    trial.file(
        "include url(\"http://127.0.0.1:1/x.conf\")\n"
            + "include \"https://127.0.0.1:1/y.conf\"\n"
            + "include classpath(\"application.conf\")\n"
            + "include \"missing.conf\"\n"
            + "include \"agent.conf\"\n"
            + ConfigFixture.RIGHT);

    assertThat(trial.problems())
        .anyMatch(text -> text.startsWith("agent.conf:1:") && text.contains("can't read from URLs"))
        .anyMatch(text -> text.startsWith("agent.conf:2:") && text.contains("can't read from URLs"))
        .anyMatch(text -> text.startsWith("agent.conf:3:") && text.contains("from the class path"))
        .anyMatch(
            text ->
                text.startsWith("agent.conf:4:")
                    && text.contains(folder.resolve("missing.conf") + " does not exist"))
        .anyMatch(text -> text.startsWith("agent.conf:5:") && text.contains("nested more than"));
  }

  @Test
  void formerKeyIncludeIsRefusedWithTheNewName() {
    trial.with("  include = [ leader-only ] # include = x\n  only-main-class = \"include = [\"");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:2: portcullis.include: this key is now called rule-sets; write rule-sets ="
                + " [ … ]");
  }

  @Test
  void formerKeyIncludeIsRefusedInOverridesToo() {
    trial.file(ConfigFixture.RIGHT).property("portcullis.include", "[ leader-only ]");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .contains("portcullis.include", "now called rule-sets");
  }

  @Test
  void rulesWithoutCommaBetweenThemAreRefused() {
    trial.file(
        ConfigFixture.RIGHT.replace(
            "rules = [", "rules = [\n{ id = a, match = \"x} {\" } { id = b, match = y } # } {"));

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:10: two sections side by side would become one; write a comma or a line"
                + " break between them");
  }

  @Test
  void sectionCanExtendASubstitution() {
    trial.file(
        "base { port = 5 }\n"
            + ConfigFixture.RIGHT.replace("rules =", "http = ${base} { bind = b }\nrules ="));

    assertThat(trial.load().interfaces().http().port()).isEqualTo(5);
  }

  @Test
  void valuesThatDoNotMixAreReportedUnquoted() {
    trial.with("x = [1]\nservice2 = ${portcullis.x} ${SECRET}").variable("SECRET", "hunter2");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:2: is concatenated with a value of another type; a string, a list and a"
                + " section can't be combined");
  }

  @Test
  void nestingWithoutEndIsReported() {
    trial.file("portcullis { service = " + "[".repeat(500_000));

    assertThat(trial.problems()).singleElement().asString().contains("nested too deeply");
  }

  @Test
  void configurationOfTheApplicationIsNotRead() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    String stolen = "portcullis { node.id = stolen, mode = observe, http.port = 1, bogus = 1 }";
    Files.writeString(classes.resolve("application.conf"), stolen);
    Files.writeString(classes.resolve("reference.conf"), stolen);
    Files.writeString(classes.resolve("base.conf"), stolen);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader application =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
      thread.setContextClassLoader(application);
      System.setProperty("portcullis.mode", "off");

      AgentConfig config = trial.file(ConfigFixture.RIGHT).load();

      assertThat(config.activation().mode()).isEqualTo(Mode.ENFORCE);
      assertThat(config.node().id()).isEqualTo("host-1");
      assertThat(config.interfaces().http().port()).isEqualTo(9470);
      assertThat(trial.file("include \"base.conf\"\n" + ConfigFixture.RIGHT).problems())
          .singleElement()
          .asString()
          .contains("does not exist");
    } finally {
      System.clearProperty("portcullis.mode");
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void agentReferenceIsInvisibleToTheApplication() {
    Path resources = Path.of("src/main/resources");

    assertThat(resources.resolve("reference.conf")).doesNotExist();
    assertThat(resources.resolve("io/portcullis/agent/config/reference.conf")).exists();
  }
}
