package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slips in the notation of a configuration file, and where the error says that they are. */
class SyntaxSlipTest {
  private static final String MATCH = "match = \"com.acme.OrderStore#save(..)\"";

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  private static String right(String from, String to) {
    assertThat(ConfigFixture.RIGHT).contains(from);
    return ConfigFixture.RIGHT.replace(from, to);
  }

  @Test
  void patternWithoutQuotesIsRefusedEvenIfTheFileParses() {
    trial.file(right(MATCH + " }", "match = com.acme.OrderStore#save(int, ..)\n}"));

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:10: # starts a comment, also without a space before it, so only"
                + " com.acme.OrderStore would be read; write the value in double quotes:"
                + " \"com.acme.OrderStore#save(int, ..)\"");
  }

  @Test
  void patternWithoutQuotesThatHidesABraceIsTheOnlyProblem() {
    trial.file(right(MATCH, "match = +com.acme.Order*#save(..)"));

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:10: ")
        .endsWith("write the value in double quotes: \"+com.acme.Order*#save(..)\"");
  }

  @Test
  void hashInASecretIsReportedWithoutTheSecret() {
    trial.file(right("service = orders", "service = orders\nadmin-token = hunter#two"));

    assertThat(trial.problems())
        .anyMatch(
            line -> line.startsWith("agent.conf:3: ") && line.contains("end of this value would"))
        .noneMatch(line -> line.contains("hunter") || line.contains("two"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "service = orders # a comment",
        "service = orders# a comment",
        "service = \"orders\"#comment",
        "service = orders //a#b",
        "#service = a#b\nservice = orders",
        "service = orders\nnode { #comment\n}#comment",
      })
  void commentIsAccepted(String line) {
    assertThat(trial.file(right("service = orders", line)).load().service()).isEqualTo("orders");
  }

  @Test
  void missingBraceIsReportedWhereItWasOpened() {
    trial.file(right("\n    }\n  }\n  rules", "\n  }\n  rules"));

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:4: not HOCON: the { opened in line 4 is most likely not closed; add a }"
                + " before the } in line 7");
  }

  @Test
  void missingBraceAtTheEndIsReportedWhereItWasOpened() {
    trial.file(ConfigFixture.RIGHT.stripTrailing().replaceFirst("}$", ""));

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:1: not HOCON: the { opened in line 1 ")
        .endsWith("add a } at the end of the file");
  }

  @Test
  void missingBracketIsReportedWhereItWasOpened() {
    trial.file(right("  ]\n", ""));

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:9: not HOCON: the [ opened in line 9 ")
        .endsWith("add a ] before the } in line 11");
  }

  @Test
  void missingBraceOfARuleIsReportedBesideTheSyntaxErrorBeforeIt() {
    trial.file(right(MATCH + " }", MATCH + "\n{ id = other, " + MATCH + " }"));

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:11: not HOCON: ")
        .endsWith(
            "also, the { opened in line 10 is most likely not closed; add a } before the ] in"
                + " line 12");
  }

  @Test
  void braceTooManyIsReportedAtItsLine() {
    trial.file(ConfigFixture.RIGHT + "}\n");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:13: not HOCON: the } in line 13 closes nothing");
  }

  @Test
  void missingBraceInAnIncludedFileNamesThatFile() {
    trial.file("include \"more.conf\"\n" + ConfigFixture.RIGHT);
    trial.file("more.conf", "\nportcullis {\n  http {\n  port = 1\n}\n");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("more.conf:3: not HOCON: the { opened in line 3 ");
  }
}
