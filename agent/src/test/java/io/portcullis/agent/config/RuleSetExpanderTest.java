package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.agent.runtime.RuleFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The rules of a ready-made set are rules like those of the file. */
class RuleSetExpanderTest {
  private static final String TWO_ELECTIONS =
      """
      portcullis {
        service = orders
        elections {
          writer { backend = trial, trial { uri = "trial://localhost", key = a } }
          aggregation { backend = trial, trial { uri = "trial://localhost", key = b } }
        }
      """;

  static final List<String> NAMES = RuleSet.NAMES;

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void everySetHasValidRules(String name) {
    trial.with("rule-sets = [ " + name + " ]").ruleCheck(new RuleFactory());

    assertThat(trial.load().protection().rules())
        .hasSizeGreaterThan(1)
        .allSatisfy(rule -> assertThat(rule.election()).isEqualTo("writer"));
  }

  @Test
  void rulesOfASetFollowThoseOfTheFileAndKeepTheirOrigin() {
    trial.with("rule-sets = [ spring-scheduled ]");

    List<RuleSection> rules = trial.load().protection().rules();

    assertThat(rules).extracting(RuleSection::id).containsExactly("orders", "spring-scheduled");
    assertThat(rules.get(1).place("match").toString()).matches("rule set spring-scheduled:\\d+");
  }

  @Test
  void ruleOfASetIsOverriddenByItsId() {
    trial.with("rule-sets = [ quartz-jobs ]");
    trial.variable("PORTCULLIS__rule__quartz_triggers__mode", "observe");
    trial.property("portcullis.rule.quartz-jobs.mode", "observe");

    assertThat(trial.load().protection().rules().stream().filter(RuleSection::observe))
        .extracting(RuleSection::id)
        .containsExactly("quartz-triggers", "quartz-jobs");
  }

  @Test
  void overrideCanAddSetsAndChangeTheirRules() {
    trial.file(ConfigFixture.RIGHT);
    trial.variable("PORTCULLIS__rule_sets", "[spring-scheduled, quartz-jobs]");
    trial.property("portcullis.rule.spring-scheduled.mode", "observe");

    assertThat(trial.load().protection().rules())
        .extracting(RuleSection::id)
        .containsExactly("orders", "spring-scheduled", "quartz-triggers", "quartz-jobs");
    assertThat(trial.load().protection().rules().get(1).observe()).isTrue();
  }

  @Test
  void entryNamesItsElectionIfThereAreSeveral() {
    trial.file(
        TWO_ELECTIONS + "rule-sets = [ { set = spring-scheduled, election = aggregation } ] }");

    assertThat(trial.load().protection().rules())
        .extracting(RuleSection::election)
        .containsExactly("aggregation");
  }

  @Test
  void leaderOnlyHasOneRulePerElection() {
    trial.file(TWO_ELECTIONS + "rule-sets = [ leader-only ] }");

    assertThat(trial.load().protection().rules())
        .extracting(RuleSection::id)
        .containsExactly("leader-only.writer", "leader-only.aggregation");
    assertThat(trial.load().protection().rules())
        .extracting(RuleSection::election)
        .containsExactly("writer", "aggregation");
  }

  @Test
  void setThatRefusesNothingNeedsNoElection() {
    trial.file(TWO_ELECTIONS + "rule-sets = [ servlet-503 ] }");

    assertThat(trial.load().protection().rules()).isNotEmpty();
  }

  @Test
  void keysOfAnEntryApplyToTheRulesOfTheSet() {
    trial.with("rule-sets = [ { set = servlet-503, redirect = true, retry-after = 2s } ]");

    assertThat(
            trial.load().protection().rules().stream()
                .filter(rule -> rule.id().startsWith("servlet")))
        .isNotEmpty()
        .allSatisfy(
            rule ->
                assertThat(rule.options())
                    .containsEntry("redirect", true)
                    .containsEntry("retry-after", Duration.ofSeconds(2)));
  }

  @Test
  void everyHalfOfASetHasAnAlternativeInTheOtherHalf() {
    trial.with("rule-sets = [ http-writes, servlet-503 ]");

    List<RuleSection> rules =
        trial.load().protection().rules().stream().filter(rule -> !isOwn(rule)).toList();
    assertThat(rules).hasSizeGreaterThan(30);
    for (RuleSection rule : rules) {
      assertThat(rules)
          .as(rule.id())
          .anyMatch(
              other ->
                  !other.id().equals(rule.id())
                      && rule.options().containsKey("one-of")
                      && Objects.equals(
                          other.options().get("one-of"), rule.options().get("one-of")));
    }
  }

  private static boolean isOwn(RuleSection rule) {
    return rule.id().equals("orders");
  }

  @Test
  void groupOfASetCannotBeChanged() {
    trial.with("rule-sets = [ { set = servlet-503, one-of = mine } ]");

    assertThatThrownBy(trial::load).hasMessageContaining("has no such key");
  }

  @Test
  void keyOfASetAppliesToRulesThatHaveIt() {
    trial.with("rule-sets = [ { set = http-writes, redirect = true, mode = observe } ]");

    List<RuleSection> rules =
        trial.load().protection().rules().stream()
            .filter(rule -> rule.id().startsWith("http-"))
            .toList();
    assertThat(rules).allMatch(RuleSection::observe);
    assertThat(rules.stream().filter(rule -> rule.options().containsKey("redirect")))
        .isNotEmpty()
        .allSatisfy(rule -> assertThat(rule.action()).isEqualTo("answer-503"))
        .allSatisfy(rule -> assertThat(rule.options()).containsEntry("redirect", true));
    assertThat(rules.stream().filter(rule -> rule.action().equals("throw"))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [ spring-sheduled ]                     | did you mean spring-scheduled?; there are: leader-only, spring-scheduled, spring-transactional, quartz-jobs, jdbc-writes, http-writes, servlet-503
          [ quartz-jobs, quartz-jobs ]            | rule set quartz-jobs is listed already
          spring-scheduled                        | must be a list
          [ { election = writer } ]               | names no rule set; write a set's name
          [ [ a ] ]                               | names no rule set; write a set's name
          [ { set = quartz-jobs, match = x } ]    | rule set quartz-jobs has no such key; it has [election, mode, empty]
          [ { set = quartz-jobs, election = x } ] | there is no such election
          """)
  void invalidEntriesAreRefused(String ruleSets, String problem) {
    trial.with("rule-sets = " + ruleSets);

    assertThat(trial.problems()).anyMatch(text -> text.contains(problem));
  }

  @Test
  void ruleSetWithoutElectionIsRefusedIfThereAreSeveral() {
    trial.file(TWO_ELECTIONS + "rule-sets = [ quartz-jobs ] }");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:7: ")
        .contains("write { set = quartz-jobs, election = … } with one of writer, aggregation");
  }

  @Test
  void idOfASetCannotBeUsedInTheFile() {
    trial.file(ConfigFixture.RIGHT.replace("id = orders", "id = quartz-jobs"));
    trial.variable("PORTCULLIS__rule_sets", "quartz-jobs");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("rule set quartz-jobs:")
        .contains("is the id of the rule at agent.conf:10 already");
  }
}
