package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of configuration that can't be right, by what its operator reads. */
class ConfigProblemsTest {
  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder).file(ConfigFixture.RIGHT);
  }

  @Test
  void allProblemsAreReportedInOneMessage() {
    trial.file(
        """
        portcullis {
          servcie = orders
          elections {
            writer {
              backend = trial
              timing { lease = 30, renew = 0s }
              trial { url = "trial://h" }
            }
            "read er" {
              backend = trial
              timing { lease = 10s, renew = 20s }
              trial { uri = "trial://h" }
            }
          }
          rules = [ { id = a } ]
        }
        """);
    trial.variable("PORTCULLIS__http__port", "70000");
    trial.property("portcullis.log.level", "loud");

    assertThat(trial.message().lines())
        .containsExactly(
            "portcullis: 13 problems in the configuration; the JVM was stopped before main",
            "agent.conf:1: portcullis.service: is missing; set it",
            "agent.conf:2: portcullis.servcie: unknown key; did you mean service?",
            "agent.conf:6: portcullis.elections.writer.timing.lease = 30: a duration needs a unit;"
                + " write 30s",
            "agent.conf:6: portcullis.elections.writer.timing.renew = 0s: a duration must be"
                + " greater than zero, such as 10s",
            "agent.conf:7: portcullis.elections.writer.trial.uri: is missing; set it",
            "agent.conf:7: portcullis.elections.writer.trial.url: unknown key; did you"
                + " mean uri?",
            "agent.conf:9: portcullis.elections.read er: an id may have letters A-Z a-z, digits,"
                + " dot, underscore and hyphen only",
            "agent.conf:11: portcullis.elections.read er.timing: renew 20s (with its jitter 20s)"
                + " must be shorter than lease minus margin, 9800ms, else the gate shuts before the"
                + " first renewal.",
            "agent.conf:11: portcullis.elections.read er.timing: renew plus all retries is"
                + " 21166666665ns and must be shorter than the time the gate stays open, 9800ms,"
                + " else the last retry comes after the gate has shut.",
            "agent.conf:15: portcullis.rule.a.election: is missing; with several elections name"
                + " one of writer, read er",
            "agent.conf:15: portcullis.rule.a.match: is missing; set it",
            "environment PORTCULLIS__http__port: portcullis.http.port = 70000: must be a whole"
                + " number from 0 to 65535",
            "system property portcullis.log.level: portcullis.log.level = loud: must be one of"
                + " debug, info, warn, error");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10       | a duration needs a unit; write 10s",
        "0s       | a duration must be greater than zero",
        "-5s      | a duration must be greater than zero",
        "soon     | not a duration",
        "5 parsec | unknown unit parsec",
        "[1s]     | must be a duration such as 10s, not a list",
        "{ a = 1 }| must be a duration such as 10s, not a section",
        "999999999999999d | this duration is too long",
      })
  void durationNeedsAUnitAndMustBePositive(String value, String problem) {
    trial.election("settle = " + value);

    assertThat(trial.problems()).singleElement().asString().startsWith("agent.conf:6: portcullis");
    assertThat(trial.problems().get(0)).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode = enforced          | must be one of enforce, observe, off; did you mean enforce?",
        "mode = off               | mode = off requires it",
        "when-off = leader        | applies only with mode = off",
        "stack-traces = maybe     | must be true or false",
        "refusals.max-pause = 2s  | must be at most 1s, since the thread may hold locks",
        "refusals.max-pause = 0s  | a duration must be greater than zero",
        "refusals.slow-down-after = -1 | must be a whole number from 0 to 1000000",
        "on-weave-error = ignore  | must be one of halt, refuse",
        "http.port = 65536        | must be a whole number from 0 to 65535",
        "http.port = 1.5          | must be a whole number from 0 to 65535",
        "http.ready-when = always | must be one of participating, leader",
        "http = 5                 | is a section; write http { … }",
        "log.format = xml         | must be one of text, json",
        "node.id = \"a b\"        | an id may have",
        "node.advertise = \"a\\nb\" | has control characters",
        "service = \"a/b\"        | an id may have",
        "bind = x                 | unknown key; it belongs into portcullis.http",
        "zzzzzzzzzz = x           | unknown key; known here: ",
        "elections.x = 5          | an election is a section",
        "elections.a.b { backend = trial } | put the whole name into quotes",
        "extensions = [ a ]       | does not exist; name a jar, relative to this file's folder",
        "extensions = a.jar       | must be a list",
        "node.priority = high     | must be a whole number from -1000000 to 1000000",
        "node.priority = 1000001  | must be a whole number from -1000000 to 1000000",
        "http.admin-token-file = t| does not exist; name a file that contains only the secret",
        "node.priority-after = 0s | a duration must be greater than zero",
        "elections.writer.hooks { started = [a] } | names no method; write"
            + " Class#method(parameters)",
        "elections.writer.hooks { started = [\"a.B#c(int)\"] } | it may take () or (long)",
        "elections.writer.hooks { stopped = [\"a.B#c\"] } | names no method",
        "elections.writer.hooks { stopped = \"a.B#c()\" } | must be a list",
        "elections.writer.hooks { new-leader = [\"a.B#c(String)\"] } | or (java.lang.String,long)",
        "elections.writer.hooks { timeout = 5 } | a duration needs a unit",
        "elections.writer.eligible-when { http = a } | is not an HTTP address",
        "elections.writer.eligible-when { http = \"http://u:p@h/\" } | must not contain a user",
        "elections.writer.eligible-when { http = \"http://h/ x\" } | is not a valid address",
        "elections.writer.eligible-when { tcp = a } | must be host:port",
        "elections.writer.eligible-when { tcp = \"a:65536\" } | must be from 1 to 65535",
        "elections.writer.eligible-when { mbean = \"a:b=c\", equals = UP } | attribute: is missing",
        "elections.writer.eligible-when { mbean = \"a:b=*\", attribute = A, equals = UP } | a"
            + " pattern",
        "elections.writer.eligible-when { mbean = a, attribute = A, equals = UP } | is not an"
            + " ObjectName",
        "elections.writer.eligible-when { equals = UP } | belongs to mbean",
        "elections.writer.eligible-when { failures = 0 } | must be a whole number from 1 to 1000",
        "elections.writer.eligible-when { url = a } | unknown key",
        "elections.writer.campaign.required-rules = [order] | no rule order; did you mean orders?",
        "elections.writer.other { } | unknown key",
        "elections.writer.lease = 5s | it belongs into portcullis.elections.writer.timing",
        "elections.writer.timing.settle = 5s | it belongs into portcullis.elections.writer",
        "elections.writer.timing.started = [] | belongs into portcullis.elections.writer.hooks",
        "elections.writer.timeout = 5s | writer.eligible-when or portcullis.elections.writer.hooks",
        "elections.writer.http { port = 1 } | unknown key; it belongs into portcullis",
        "elections.writer.rules = [] | unknown key; it belongs into portcullis",
        "elections.writer.match = a | unknown key; it belongs into a rule of portcullis.rules",
        "elections.lease-time = 5s | an election is a section",
        "elections.settle = 5s | write elections { writer { settle = … } }",
        "elections.timing { lease = 5s } | write elections { writer { timing { … } } }",
        "lease = 5s | it belongs into an election of portcullis.elections.timing",
        "recheck = true | it belongs into a rule of portcullis.rules",
        "elections.writer.trial.replicas = many | must be a whole number from 0 to 10",
        "elections.writer.trial.tls.crt-file = a | unknown key; did you mean cert-file?",
        "elections.writer.trial.ca = a | unknown key; did you mean ca-file?",
        "elections.writer.timing.drift = 200% | must be a share from 0 to 1",
        "elections.writer.timing.drift = 30% | drift is 0.3; it must be from 0 to 0.2",
        "elections.writer.timing.first-election = later | must be one of at-once, after-lease",
        "elections.writer.timing.retry = 1s | must be a list, such as [a, b]",
      })
  void invalidValuesAreReportedWithRemedy(String line, String problem) {
    trial.with(line);
    // The lines of a right configuration come later, and would be stronger.
    trial.file(
        ConfigFixture.RIGHT
            .replace("service = orders", line.startsWith("service") ? "" : "service = orders")
            .replaceFirst("rules = \\[", line.replace("\\", "\\\\") + "\nrules = ["));

    assertThat(trial.problems()).anyMatch(text -> text.contains(problem));
    assertThat(trial.problems()).allMatch(text -> text.startsWith("agent.conf:"));
    assertThat(trial.problems()).hasSizeLessThanOrEqualTo(3);
  }

  /** The address is in the store, in the status of all nodes, in exceptions and in redirects. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:hunter2-x@h:8080",
        "https://hunter2-x@h/",
        "me:hunter2-x@h",
        "hunter2-x@h:8080",
        "http:/me:hunter2-x@h/p",
        "http://me:hunter2/x@h/p",
        "http://h/p?k=hunter2-x",
        "h:8080/p?hunter2-x",
        "http://h/p#hunter2-x",
      })
  void advertisedAddressWithSecretIsRefusedWithoutShowingIt(String address) {
    trial.with("node.advertise = \"" + address + "\"");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .contains("is shown to everybody; must not contain a user, password or query")
        .doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://10.0.0.7:8080", "http://[::1]:80/a/b", "host-1", "h/a%40b"})
  void advertisedAddressMayHaveAPath(String address) {
    assertThat(trial.with("node.advertise = \"" + address + "\"").load().node().advertise())
        .isEqualTo(address);
  }

  @Test
  void keysOfLaterVersionsAreAllowedWithTheirDefault() {
    trial.with("extensions = []\n" + "elections.writer.hooks { started = [], timeout = 10s }");

    assertThat(trial.load().service()).isEqualTo("orders");
  }

  @Test
  void backendIsRequired() {
    trial.file("portcullis { service = a, elections { w { } } }");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:1: portcullis.elections.w.backend: is missing; name the store of this"
                + " election: trial");
  }

  @ParameterizedTest
  @CsvSource({
    "quorum, not available yet; this version has trial",
    "redis, not available yet; this version has trial",
    "trail, unknown backend; did you mean trial?; this version has trial",
    "zookeeper, unknown backend; this version has trial"
  })
  void unknownBackendIsReported(String backend, String problem) {
    trial.file(ConfigFixture.RIGHT.replace("backend = trial", "backend = " + backend));

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:5: portcullis.elections.writer.backend = " + backend + ": " + problem);
  }

  @Test
  void electionIsRequired() {
    trial.file("portcullis { service = a }");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:1: portcullis.elections: no election is configured; write elections {"
                + " writer { backend = … } }");
  }

  @Test
  void twoElectionsCannotShareAStoreKey() {
    trial.file(
        """
        portcullis {
          service = orders
          elections {
            a { backend = trial, trial { uri = "trial://h", key = k } }
            b { backend = trial, trial { uri = "trial://h", key = k } }
          }
        }
        """);

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:5: portcullis.elections.b: would write the same lease as"
                + " portcullis.elections.a (agent.conf:4): k; give one of them another key");
  }

  @Test
  void impossibleTimingIsReportedBesideOtherProblems() {
    trial.with("mod = x\nelections.writer.timing { lease = 10s, renew = 20s }");

    assertThat(trial.problems())
        .anyMatch(text -> text.contains("portcullis.elections.writer.timing: renew 20s"))
        .anyMatch(text -> text.contains("did you mean mode?"));
  }

  @Test
  void ruleNeedsUniqueIdMatchAndExistingElection() {
    trial.file(
        ConfigFixture.RIGHT.replace(
            "rules = [",
            """
            rules = [
              { match = m }
              { id = "a b", match = m }
              { id = c, match = m, election = writr }
              { id = d, match = m, mode = off }
              { id = e, match = m, timeout = 5, empty = perhaps, value = [1] }
              { id = orders, match = m }
              nonsense
            """));

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:10: portcullis.rules.id: is missing; set it",
            "agent.conf:11: portcullis.rule.a b.id = a b: an id may have letters A-Z a-z, digits,"
                + " dot, underscore and hyphen only",
            "agent.conf:12: portcullis.rule.c.election = writr: there is no such election; did you"
                + " mean writer?",
            "agent.conf:13: portcullis.rule.d.mode = off: must be one of enforce, observe",
            "agent.conf:14: portcullis.rule.e.empty = perhaps: must be true or false",
            "agent.conf:14: portcullis.rule.e.timeout = 5: a duration needs a unit; write 5s",
            "agent.conf:14: portcullis.rule.e.value = [1]: must be null, true, false, a number or a"
                + " string",
            "agent.conf:16: portcullis.rules = nonsense: a rule is a section; write { id = …, match"
                + " = … }",
            "agent.conf:18: portcullis.rule.orders.id = orders: is the id of the rule at"
                + " agent.conf:15 already; choose another");
  }

  @Test
  void problemsOfRulesAreInTheSameMessage() {
    trial.with("mod = x");
    trial.ruleCheck(
        (rule, extensions, problems) -> {
          problems.refuse(rule.spot("match"), "no such pattern");
          problems.refuse(rule.spot("timeout"), "is missing; wait needs it");
        });

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:2: portcullis.mod: unknown key; did you mean mode?",
            "agent.conf:11: portcullis.rule.orders: is missing; wait needs it",
            "agent.conf:11: portcullis.rule.orders.match = com.acme.OrderStore#save(..): no such"
                + " pattern");
  }

  @Test
  void oneProblemIsReportedOnce() {
    trial.with("mod = x");

    assertThat(trial.message())
        .startsWith("portcullis: 1 problem in the configuration; the JVM was stopped before main");
  }

  @Test
  void problemCannotForgeAMessageLine() {
    trial.property("portcullis.mode", "x\nagent.conf:1: forged");

    assertThat(trial.message().lines()).hasSize(2);
  }
}
