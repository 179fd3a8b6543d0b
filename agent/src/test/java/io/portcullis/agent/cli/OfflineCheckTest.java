package io.portcullis.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.BundledBackends;
import io.portcullis.testsupport.SourceCompiler;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.jdbc.PgConnection;

class OfflineCheckTest {
  private static final String STORE =
      """
      package com.acme;
      public class Store implements Runnable {
        public int save(java.sql.Statement s) throws java.sql.SQLException {
          return s.executeUpdate("x"); }
        public void run() {}
        public synchronized void sync() {}
        public void a() {} public void b() {} public void c() {} public void d() {}
        public void e() {} public void f() {} public void g() {} public void h() {}
        public void i() {} public void j() {} public void k() {}
      }
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream outBefore = System.out;
  private final PrintStream errBefore = System.err;
  private String app = "";

  @BeforeEach
  void buildAndCapture() throws IOException {
    app = Files.createDirectory(folder.resolve("classes")).toString();
    compile(Files.writeString(folder.resolve("Store.java"), STORE));
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private void compile(Path... sources) {
    SourceCompiler.withTestClassPath().compileFiles(List.of(sources), Path.of(app));
  }

  @AfterEach
  void release() {
    System.setOut(outBefore);
    System.setErr(errBefore);
  }

  private int check(String rules, String... options) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("agent.conf"),
            """
            portcullis {
              service = orders
              elections { writer { backend = redis, redis.uri = "redis://localhost:6379" } }
              rules = [
                %s
              ]
            }
            """
                .formatted(rules));
    String[] arguments =
        Stream.concat(Stream.of("check", file.toString()), Stream.of(options))
            .toArray(String[]::new);
    return Commands.run(
        arguments, new BundledBackends(name -> OfflineCheckTest.class.getClassLoader()));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private int checkHooks(String... started) throws IOException {
    String hooks = "\"" + String.join("\", \"", started) + "\"";
    return check(
        "{ id = save, match = \"com.acme.Store#save(..)\" } ]\n"
            + "  elections.writer.hooks.started = [ %s ]\n  rule-sets = [".formatted(hooks),
        "--classpath",
        app);
  }

  @Test
  void uncallableHooksAreRefusedWithLocation() throws IOException {
    compile(
        Files.writeString(
            folder.resolve("Jobs.java"),
            """
            package com.acme;
            class Jobs {
              private static void resume() {}
              void pause() {}
              static void later(int seconds) {}
            }
            """));

    assertThat(checkHooks("com.acme.Jobs#resume()")).isZero();
    int code =
        checkHooks(
            "com.acme.Jobs#pause()",
            "com.acme.Jobs#later()",
            "com.acme.Jobs#resum()",
            "com.acme.Jops#resume()");

    assertThat(code).isEqualTo(78);
    assertThat(err())
        .contains("agent.conf:6")
        .contains("portcullis.elections.writer.hooks.started")
        .contains("com.acme.Jobs#pause() can't be called: the method is not static")
        .contains("com.acme.Jobs#later() can't be called: the class has only later(int)")
        .contains("declares no such method; similar: resume()")
        .contains("no such class is on the class path; similar: com.acme.Jobs");
  }

  @Test
  void methodsOfEveryRuleAreListed() throws IOException {
    int code =
        check("{ id = save, match = \"com.acme.Store#save(..)\" }", "--classpath", app, "--strict");

    assertThat(code).isZero();
    assertThat(out())
        .contains("class path: 1 class in 1 jar or directory, the application's own: 1")
        .contains("rule save: throw at com.acme.Store#save(..) would gate 1 method")
        .contains("    com.acme.Store#save(java.sql.Statement)")
        .contains("can be used with this class path; warnings: 0");
    assertThat(err()).isEmpty();
  }

  @Test
  void longListIsShortenedWithoutAllOption() throws IOException {
    String rule = "{ id = all, match = \"com.acme.Store#*()\", action = skip }";

    assertThat(check(rule, "--classpath", app)).isZero();
    assertThat(out()).contains("would gate 13 methods", "and 3 more").doesNotContain("Store#k()");
    assertThat(check(rule, "--classpath", app, "--all")).isZero();
    assertThat(out()).contains("Store#k()");
  }

  @Test
  void warningFailsTheCheckOnlyWithStrict() throws IOException {
    String rule = "{ id = run, match = \"com.acme.Store#run()\" }";

    assertThat(check(rule, "--classpath", app)).isZero();
    assertThat(out())
        .contains("warning: com.acme.Store#run(): an exception cancels a periodic task");
    assertThat(check(rule, "--classpath", app, "--strict")).isEqualTo(1);
  }

  @Test
  void impossibleRuleIsReportedWithItsLineBesideOthers() throws IOException {
    int code =
        check(
            """
            { id = skip, match = "com.acme.Store#save(..)", action = skip }
            { id = wait, match = "com.acme.Store#sync()", action = wait, timeout = 1s }
            { id = fine, match = "com.acme.Store#a()" }
            """,
            "--classpath",
            app);

    assertThat(code).isEqualTo(78);
    assertThat(err())
        .contains("2 problems:")
        .contains("agent.conf:5: rule skip: com.acme.Store#save(java.sql.Statement): only void")
        .contains("agent.conf:6: rule wait: com.acme.Store#sync()", "synchronized");
    assertThat(out()).contains("com.acme.Store#a()").doesNotContain("can be used");
  }

  @Test
  void annotationForUnknownElectionIsRefused() throws IOException {
    String marked =
        """
        package com.acme;
        import io.portcullis.gate.LeaderOnly;
        public class Marked {
          @LeaderOnly(election = "aggregation") public void sum() {}
          @LeaderOnly public void write() {}
        }
        """;
    String mark =
        """
        package io.portcullis.gate;
        public @interface LeaderOnly { String election() default ""; }
        """;
    compile(
        Files.writeString(folder.resolve("LeaderOnly.java"), mark),
        Files.writeString(folder.resolve("Marked.java"), marked));

    int code = check("], rule-sets = [ leader-only", "--classpath", app);

    assertThat(code).isEqualTo(78);
    assertThat(err())
        .contains("1 problem:", "rule set leader-only:", "com.acme.Marked#sum()")
        .contains("@LeaderOnly for election 'aggregation', and there are only: writer");
    assertThat(out()).contains("com.acme.Marked#write()").doesNotContain("can be used");
  }

  @Test
  void missingClassPathEntryIsRefused() throws IOException {
    String gone = folder.resolve("gone.jar").toString();

    int code =
        check(
            "{ id = a, match = \"com.acme.Store#a()\" }",
            "--classpath",
            app + File.pathSeparator + gone);

    assertThat(code).isEqualTo(78);
    assertThat(err()).contains("gone.jar: there is no such file or directory");
    assertThat(out()).contains("com.acme.Store#a()");
  }

  @Test
  void ungatedWritesAreListedAndFailWithStrict() throws IOException {
    String other = "{ id = a, match = \"com.acme.Store#a()\" }";
    String save = "{ id = save, match = \"com.acme.Store#save(..)\" }";

    assertThat(check(other, "--classpath", app, "--ungated")).isZero();
    assertThat(out())
        .contains("write paths: 1 call of known write APIs, not gated: 1; calls of: jdbc 1")
        .contains("not gated: com.acme.Store#save(java.sql.Statement) (Store.java:4) calls")
        .contains("Not seen: reflection");
    assertThat(check(other, "--classpath", app, "--ungated", "--strict")).isEqualTo(1);
    assertThat(check(save, "--classpath", app, "--ungated", "--strict")).isZero();
    assertThat(out()).contains("not gated: 0");
  }

  @Test
  void subtypeRuleGatesDriverFoundOnClassPath() throws Exception {
    String driver =
        Path.of(PgConnection.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String rule = "{ id = jdbc, match = \"java.sql.Statement+#executeUpdate(..)\" }";

    int code =
        check(rule, "--classpath", app, "--classpath", driver, "--ungated", "--own", "com.acme.**");

    assertThat(code).isZero();
    assertThat(out())
        .contains("org.postgresql.jdbc.PgStatement#executeUpdate(java.lang.String)")
        .contains("write paths: 1 call of known write APIs, not gated: 0");
  }

  @Test
  void unmatchedOwnPatternIsWarnedAbout() throws IOException {
    String rule = "{ id = a, match = \"com.acme.Store#a()\" }";

    assertThat(check(rule, "--classpath", app, "--ungated", "--own", "com.other.**", "--strict"))
        .isEqualTo(1);
    assertThat(out()).contains("no class is the application's own");
  }

  @Test
  void optionsWithoutRequiredClassPathAreRefused() throws IOException {
    for (List<String> options : List.of(List.of("--ungated"), List.of("--own", "com.acme.**"))) {
      assertThat(
              check("{ id = a, match = \"com.acme.Store#a()\" }", options.toArray(String[]::new)))
          .isEqualTo(2);
      assertThat(err()).contains("need a --classpath");
    }
  }

  @Test
  void missingSecretFileIsOnlyAWarningWithOfflineSecrets() throws IOException {
    String rule =
        """
        { id = run, match = "com.acme.Store#a()" } ]
          elections.writer.redis.password-file = "/none/redis"
          http.admin-token-file = gone
          rule-sets = [\
        """;

    assertThat(check(rule)).isEqualTo(78);
    assertThat(err()).contains("/none/redis does not exist", folder.resolve("gone") + " does not");
    assertThat(check(rule, "--offline-secrets")).isZero();
    assertThat(out())
        .contains(
            "warning: ", "agent.conf:6: ", "redis.password-file: the file /none/redis does not")
        .contains("http.admin-token-file: the file " + folder.resolve("gone"));
  }

  @Test
  void twoMissingSecretsOfAQuorumAreTwoWarnings() throws IOException {
    String rule =
        """
        { id = run, match = "com.acme.Store#a()" } ]
          elections.writer { backend = quorum, quorum { self = a, data-dir = votes
            members { a = "127.0.0.1:1", b = "127.0.0.1:2", c = "127.0.0.1:3" }
            secret-file = now, other-secret-file = next } }
          rule-sets = [\
        """;

    assertThat(check(rule, "--offline-secrets")).as("%s", err()).isZero();
    assertThat(out())
        .contains("quorum.secret-file: the file", "quorum.other-secret-file: the file");
  }

  @Test
  void warningOfSeveralRulesIsPrintedOnce() throws IOException {
    String rules =
        "{ id = one, match = \"com.acme.Store#run()\" }\n"
            + "{ id = two, match = \"com.acme.Store#r*()\" }";

    assertThat(check(rules, "--classpath", app)).isZero();
    assertThat(out())
        .contains("warning: rules one, two: com.acme.Store#run(): an exception cancels")
        .contains("warnings: 1");
  }

  @Test
  void declaredExceptionIsProposed() throws IOException {
    String save = "{ id = save, match = \"com.acme.Store#save(..)\"%s }";

    assertThat(check(save.formatted(""), "--classpath", app)).isZero();
    assertThat(out())
        .contains("hint: com.acme.Store#save(java.sql.Statement) declares java.sql.SQLException")
        .contains("consider exception = \"java.sql.SQLException\"", "warnings: 0");
    out.reset();
    assertThat(check(save.formatted(", exception = \"java.sql.SQLException\""), "--classpath", app))
        .isZero();
    assertThat(out()).doesNotContain("hint: com.acme.Store");
  }
}
