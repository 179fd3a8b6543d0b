package io.portcullis.it.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that an invalid configuration stops the JVM before {@code main}, with all problems in one
 * message.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class BadConfigIT {
  private static final int EX_CONFIG = 78;
  private static final String SECRET = "s3cr3t-w0rd";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @ParameterizedTest
  @MethodSource({"files", "overrides"})
  void invalidConfigStopsTheJvmBeforeMainWithAFix(
      UnaryOperator<AgentConf> mistake, UnaryOperator<JvmLauncher> launch, List<String> said)
      throws IOException, InterruptedException {
    ServiceJvm jvm = start(launch.apply(demo().conf(mistake.apply(conf()))));

    assertThat(jvm.awaitExit()).isEqualTo(EX_CONFIG);
    String message = String.join("\n", jvm.output().stderr());
    assertThat(jvm.output().stdout()).as("main never ran").isEmpty();
    assertThat(said).allSatisfy(part -> assertThat(message).containsPattern(part));
    assertThat(message).doesNotContain(SECRET).doesNotContain("Exception");
  }

  static Stream<Arguments> files() {
    return Stream.of(
        wrong("an unknown key", "elections.writer.timing.laese", "3s", "laese", "lease"),
        wrong("an unknown key at the top", "servise", "x", "portcullis\\.servise", "service"),
        wrong("no unit", "elections.writer.timing.lease", "3", "timing\\.lease", "unit|3s"),
        wrong("nothing long", "elections.writer.timing.lease", "0s", "timing\\.lease", "greater"),
        wrong("a negative time", "elections.writer.settle", "-1s", "settle", "-1s"),
        wrong("no service", "service", "null", "service"),
        wrong("renewal after the lease", "elections.writer.timing.renew", "3s", "renew", "lease"),
        wrong("shorter than the lease", "elections.writer.timing.longest-lease", "1s", "longest"),
        wrong("an unknown backend", "elections.writer.backend", "zookeeper", "zookeeper", "redis"),
        wrong("an unknown mode", "mode", "enforced", "enforced", "observe"),
        wrong("off without when-off", "mode", "off", "when-off", "standby"),
        wrong("an invalid port", "http.port", "70000", "http\\.port", "65535"),
        wrong(
            "an unreadable file",
            "elections.writer.redis.password-file",
            "\"/no/such/file\"",
            "password-file",
            "/no/such/file"),
        wrong(
            "a secret in the file",
            "elections.writer.redis.password",
            SECRET,
            "password",
            "password-file"),
        wrong(
            "no Redis URI",
            "elections.writer.redis.uri",
            "\"http://localhost\"",
            "redis\\.uri",
            "redis://"),
        rule("an unparsable rule", "{ id = x, match = \"com.acme.Ledger.append\" }", "x", "#"),
        rule("a rule without id", "{ match = \"com.acme.Ledger#append(..)\" }", "id"),
        rule(
            "a bad rule id",
            "{ id = \"a b\", match = \"com.acme.Ledger#append(..)\" }",
            "letters|A-Za-z0-9"),
        rule(
            "one id twice",
            "{ id = append, match = \"com.acme.Ledger#append(..)\" }",
            "append",
            "twice|once|already|both|two|unique"),
        rule(
            "an unknown election",
            "{ id = x, match = \"a.B#c()\", election = reader }",
            "reader",
            "writer"),
        rule(
            "an unknown action", "{ id = x, match = \"a.B#c()\", action = thow }", "thow", "throw"),
        argumentSet(
            "a rule without election although there are two",
            edit(conf -> conf.set("elections.other", "${portcullis.elections.writer}")),
            unchanged(),
            List.of("agent\\.conf:\\d+: ", "append", "election", "writer", "other")),
        argumentSet(
            "two elections on one store key",
            edit(
                conf ->
                    conf.set("elections.other", "${portcullis.elections.writer}")
                        .set("elections.writer.redis.key", "one")
                        .set("elections.other.redis.key", "one")
                        .set("rules", "[]")),
            unchanged(),
            List.of("agent\\.conf:\\d+: ", "writer", "other", "key")));
  }

  static Stream<Arguments> overrides() {
    return Stream.of(
        override(
            "an unknown variable",
            launch -> launch.env("PORTCULLIS__elections__writer__timing__laese", "3s"),
            "PORTCULLIS__elections__writer__timing__laese",
            "lease"),
        override(
            "an unknown property",
            launch -> launch.property("portcullis.elections.writer.timing.laese", "3s"),
            "portcullis\\.elections\\.writer\\.timing\\.laese",
            "lease"),
        override(
            "a variable without unit",
            launch -> launch.env("PORTCULLIS__elections__writer__timing__lease", "3"),
            "PORTCULLIS__elections__writer__timing__lease",
            "unit|3s"),
        override(
            "an id with a slash",
            launch -> launch.env("PORTCULLIS__node__id", "a/b"),
            "PORTCULLIS__node__id",
            "a/b",
            "letters|A-Za-z0-9"),
        override(
            "a numeric path",
            launch -> launch.property("portcullis.rules.0.mode", "observe"),
            "portcullis\\.rules\\.0\\.mode",
            "portcullis\\.rule\\."),
        override(
            "a rule that does not exist",
            launch -> launch.property("portcullis.rule.apend.mode", "observe"),
            "apend",
            "append"),
        override(
            "a secret as a property",
            launch -> launch.property("portcullis.elections.writer.redis.password", SECRET),
            "portcullis\\.elections\\.writer\\.redis\\.password"));
  }

  @Test
  void allConfigProblemsAreReportedInOneMessage() throws IOException, InterruptedException {
    AgentConf conf =
        conf()
            .set("servise", "x")
            .set("elections.writer.timing.lease", "3")
            .rule("{ id = x, match = \"nonsense\" }");
    JvmLauncher launch = demo().conf(conf).env("PORTCULLIS__http__port", "many");

    ServiceJvm jvm = start(launch);

    assertThat(jvm.awaitExit()).isEqualTo(EX_CONFIG);
    assertThat(String.join("\n", jvm.output().stderr()))
        .contains("servise", "lease", "nonsense", "PORTCULLIS__http__port");
  }

  @Test
  void missingConfigFileIsNamed() throws IOException, InterruptedException {
    ServiceJvm jvm = start(demo().conf("include required(file(\"/no/such.conf\"))"));

    assertThat(jvm.awaitExit()).isEqualTo(EX_CONFIG);
    assertThat(jvm.output().stdout()).isEmpty();
    assertThat(String.join("\n", jvm.output().stderr())).contains("/no/such.conf");
  }

  @Test
  void invalidHoconIsReportedWithFileAndLine() throws IOException, InterruptedException {
    ServiceJvm jvm = start(demo().conf("portcullis {\n  service = ledger\n  mode = [\n}\n"));

    assertThat(jvm.awaitExit()).isEqualTo(EX_CONFIG);
    assertThat(jvm.output().stdout()).isEmpty();
    assertThat(String.join("\n", jvm.output().stderr())).containsPattern("agent\\.conf:[34]");
  }

  private ServiceJvm start(JvmLauncher launch) throws IOException {
    return stage.start("bad", launch);
  }

  private static JvmLauncher demo() {
    return JvmLauncher.demoService("a", Path.of("journal.log"));
  }

  private static AgentConf conf() {
    return AgentConf.ledger("redis://127.0.0.1:1", Duration.ofSeconds(2));
  }

  private static Arguments wrong(String name, String key, String value, String... said) {
    return argumentSet(name, edit(conf -> conf.set(key, value)), unchanged(), inFile(said));
  }

  private static Arguments rule(String name, String rule, String... said) {
    return argumentSet(name, edit(conf -> conf.rule(rule)), unchanged(), inFile(said));
  }

  private static Arguments override(
      String name, UnaryOperator<JvmLauncher> launch, String... said) {
    return argumentSet(name, edit(conf -> conf), launch, List.of(said));
  }

  private static List<String> inFile(String... said) {
    return Stream.concat(Stream.of("agent\\.conf:\\d+: "), Stream.of(said)).toList();
  }

  private static UnaryOperator<AgentConf> edit(UnaryOperator<AgentConf> edit) {
    return edit;
  }

  private static UnaryOperator<JvmLauncher> unchanged() {
    return UnaryOperator.identity();
  }
}
