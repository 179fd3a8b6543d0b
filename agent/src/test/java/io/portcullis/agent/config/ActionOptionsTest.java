package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.runtime.RuleFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What actions make of a rule's options, from file and line to the message. */
class ActionOptionsTest {
  @TempDir Path folder;

  private ConfigFixture rule(String options) {
    return new ConfigFixture(folder)
        .ruleCheck(new RuleFactory())
        .file(
            """
            portcullis {
              service = orders
              elections { writer { backend = trial, trial.uri = "trial://h" } }
              rules = [
                { id = a, match = "com.acme.A#a()",
                  %s
                }
              ]
            }
            """
                .formatted(options));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "action = skip",
        "action = skip, recheck = true, interrupt = true",
        "action = return, value = null",
        "action = return, value = null, recheck = true",
        "action = return, value = 5",
        "action = return, value = -2.5",
        "action = return, value = true",
        "action = return, value = \"text\"",
        "action = return, empty = true",
        "action = return, empty = false, value = 1",
        "action = wait, timeout = 10m",
        "action = wait, timeout = 10m, exception = \"com.acme.No\", recheck = true",
        "action = throw, recheck = true, interrupt = true",
        "action = throw, empty = false, recheck = false",
      })
  void isAllowed(String options) {
    assertThat(rule(options).load().protection().rules()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "action = skip, value = 5 | .value = 5: action 'skip' does not support it",
        "action = skip, timeout = 5s | .timeout = 5s: action 'skip' does not support it",
        "action = throw, value = null | .value = null: action 'throw' does not support it",
        "action = return | .action = return: the value to return is missing. Write value = …, or",
        "action = return, empty = true, value = 5 | .empty = true: value is set too",
        "action = return, value = [1] | .value = [1]: must be null, true, false, a number or a string",
        "action = return, value = 1, exception = A | .exception = A: action 'return' does not support",
        "action = wait | a: is missing, and no call may wait forever. Write timeout = 30s",
        "action = wait, timeout = 10 | .timeout = 10: a duration needs a unit",
        "action = wait, timeout = 0s | .timeout = 0s: a duration must be greater than zero",
        "action = wait, timeout = 400d | .timeout = 400d: is longer than a year",
        "action = wait, timeout = 1s, value = 1 | .value = 1: action 'wait' does not support it",
        "action = throw, recheck = maybe | .recheck = maybe: must be true or false",
        "action = block | .action = block: there is no action 'block'. The actions are return, skip",
      })
  void isRefusedAtItsPlace(String options, String problem) {
    assertThat(rule(options).problems())
        .anySatisfy(line -> assertThat(line).startsWith("agent.conf:").contains(problem));
  }

  @Test
  void valueOfAnOverrideIsWhatItWouldBeInTheFile() {
    ConfigFixture trial =
        rule("action = return, value = 5").property("portcullis.rule.a.value", "null");

    assertThat(trial.load().protection().rules().get(0).options()).containsEntry("value", null);
  }
}
