package io.portcullis.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.cli.InitCommand.ServiceName;
import io.portcullis.agent.config.BundledBackends;
import io.portcullis.testsupport.SourceCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {
  private static final String STORE =
      """
      package com.acme;
      import java.nio.file.*;
      public class Store {
        public void save(Path file) throws java.io.IOException { Files.writeString(file, "x"); }
        public void start(Path file) throws java.io.IOException { Files.delete(file); }
        public static void main(String[] args) throws Exception { new Store().start(null); }
      }
      """;
  private static final String SCHEDULED =
      "package io.quarkus.scheduler; public @interface Scheduled {}";
  private static final String JOBS =
      "package com.acme; class Jobs { @io.quarkus.scheduler.Scheduled void sweep() {} }";

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream outBefore = System.out;
  private final PrintStream errBefore = System.err;
  private Path app = Path.of("");
  private Path conf = Path.of("");

  @BeforeEach
  void buildAndCapture() throws IOException {
    app = Files.createDirectories(folder.resolve("orders/classes"));
    conf = folder.resolve("agent.conf");
    SourceCompiler.withClassPath(List.of(app)).compileTexts(List.of(SCHEDULED, STORE, JOBS), app);
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setOut(outBefore);
    System.setErr(errBefore);
  }

  private static int run(String... arguments) {
    return Commands.run(
        arguments, new BundledBackends(name -> InitCommandTest.class.getClassLoader()));
  }

  private int init(String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of("init", "--batch", "--classpath", app.toString(), "--out", conf.toString()));
    Stream.of(options).forEach(arguments::add);
    return run(arguments.toArray(String[]::new));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writtenFilePassesTheCheckThatItNames() throws IOException {
    assertThat(init()).as(err()).isZero();

    assertThat(Files.readString(conf))
        .contains("  service = \"orders\"\n", "  mode = observe\n", "backend = quorum\n")
        .contains("# eligible-when { tcp = \"localhost:8080\" }")
        .contains("# @io.quarkus.scheduler.Scheduled: 1 method, such as com.acme.Jobs#sweep()")
        .contains(
            "{ id = quarkus-scheduled, match = \"@io.quarkus.scheduler.Scheduled **#*(..)\","
                + " action = skip }")
        .contains("{ id = store-save, match = \"com.acme.Store#save(..)\" }")
        .contains("#   exception = \"java.io.IOException\"")
        .contains("{ id = store-start, match = \"com.acme.Store#start(..)\", mode = observe }");
    assertThat(out())
        .contains("rules: 3; mode observe", "passes check --classpath")
        .contains("check " + conf + " --classpath '" + app + "' --ungated");
    assertThat(err()).isEmpty();
    assertThat(run("check", conf.toString(), "--classpath", app.toString(), "--strict"))
        .as("%s", err())
        .isZero();
  }

  @Test
  void everyBackendIsWrittenWithItsOptions() throws IOException {
    assertThat(init("--backend", "redis", "--uri", "redis://10.0.0.5:6379")).as(err()).isZero();
    assertThat(Files.readString(conf)).contains("uri = \"redis://10.0.0.5:6379\"");

    Files.delete(conf);
    Path password = Files.writeString(folder.resolve("password"), "secret-of-the-test");
    assertThat(
            init(
                "--backend",
                "postgres",
                "--url",
                "jdbc:postgresql://10.0.0.5/app",
                "--user",
                "app",
                "--password-file",
                password.toString()))
        .as(err())
        .isZero();
    assertThat(Files.readString(conf))
        .contains("url = \"jdbc:postgresql://10.0.0.5/app\"", "user = \"app\"")
        .contains("password-file = \"" + password + "\"")
        .doesNotContain("secret-of-the-test");

    Files.delete(conf);
    assertThat(
            init(
                "--members",
                "n1=10.0.0.7:7400,n2=10.0.0.8:7400,n3=10.0.0.9:7400",
                "--secret-file",
                password.toString()))
        .as(err())
        .isZero();
    assertThat(Files.readString(conf)).contains("self = \"n1\"", "\"n3\" = \"10.0.0.9:7400\"");
  }

  @Test
  void existingFileIsNeverChanged() throws IOException {
    Files.writeString(conf, "mine");

    assertThat(init()).isEqualTo(1);

    assertThat(conf).hasContent("mine");
    assertThat(err()).contains("exists already and was not changed", "--out");
    assertThat(folder).isDirectoryNotContaining("glob:**.agent*");
  }

  @Test
  void invalidBackendSettingsLeaveNoFile() throws IOException {
    int code = init("--members", "a=10.0.0.7:7400,b=10.0.0.8:7400,c=10.0.0.9:7400");

    assertThat(code).isEqualTo(78);
    assertThat(err()).contains("agent.conf:", "secret-file", "is missing");
    assertThat(conf).doesNotExist();
    assertThat(folder).isDirectoryNotContaining("glob:**.agent*");
  }

  @Test
  void standardOutputHasOnlyTheConfiguration() throws IOException {
    int code =
        run("init", "--batch", "--classpath", app.toString(), "--out", "-", "--service", "shop");

    assertThat(code).as(err()).isZero();
    assertThat(out()).startsWith("#").endsWith("}\n").contains("service = \"shop\"");
    assertThat(err()).contains("Next, read the comments");
    Files.writeString(conf, out());
    assertThat(run("check", conf.toString(), "--classpath", app.toString())).isZero();
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    assertThat(run("init", "--batch")).isEqualTo(2);
    assertThat(err()).contains("Name the application with --classpath");
    assertThat(init("--backend", "rediss")).isEqualTo(2);
    assertThat(err()).contains("--backend: one of quorum, redis, postgres, kubernetes");
    assertThat(init("--own", "org.other.**")).isEqualTo(2);
    assertThat(err()).contains("no class is the application's own", "com.acme.** (");
    assertThat(run("init", "--batch", "--classpath", "gone.jar", "--out", conf.toString()))
        .isEqualTo(78);
    assertThat(err()).contains("gone.jar: there is no such file or directory");
    assertThat(conf).doesNotExist();
  }

  @Test
  void dialogAsksForWhatTheOptionsDoNotName() {
    BackendOptions options = new BackendOptions();
    Deque<String> answers = new ArrayDeque<>(List.of("redis", "", "/run/secrets/redis"));
    List<String> questions = new ArrayList<>();

    options.ask(
        (question, defaultAnswer) -> {
          questions.add(question + " [" + defaultAnswer + "]");
          String answer = answers.remove();
          return answer.isEmpty() ? "redis://10.0.0.5" : answer;
        });

    assertThat(questions)
        .containsExactly(
            "Backend (quorum, redis, postgres, kubernetes) [quorum]",
            "Address of Redis [redis://localhost:6379]",
            "File with the password or secret (empty: none) []");
    assertThat(options.lines())
        .contains("backend = redis", "  uri = \"redis://10.0.0.5\"")
        .contains("  password-file = \"/run/secrets/redis\"");
  }

  @Test
  void serviceIsNamedAfterItsJarOrFolder() {
    assertThat(ServiceName.of("lib/orders-1.2.3-SNAPSHOT.jar")).isEqualTo("orders");
    assertThat(ServiceName.of("/opt/shop 2/target/classes")).isEqualTo("shop-2");
    assertThat(ServiceName.of("/opt/shop/lib/*")).isEqualTo("shop");
    assertThat(ServiceName.of("/")).isEqualTo("service");
  }
}
