package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A section that a reference declares as empty holds names of the user's own. */
class NamedSectionsTest {
  private static final String MEMBERS = "portcullis.elections.writer.trial.members.";
  private static final String VARIABLE = "PORTCULLIS__elections__writer__trial__members__";

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  private static String members(AgentConfig config) {
    return config.elections().get(0).plan().describe().replaceFirst("^[^{]*", "");
  }

  @Test
  void namedSectionsKeepTheirOrder() {
    AgentConfig config =
        trial.election("trial.members { b = \"h2:2\", a = \"h1:1\"\n c-9_x = \"h3:3\" }").load();

    assertThat(members(config)).isEqualTo("{a=h1:1, b=h2:2, c-9_x=h3:3}");
  }

  @Test
  void missingNamedSectionsAreAllowed() {
    assertThat(members(trial.election("").load())).isEqualTo("{}");
    assertThat(members(trial.election("trial.members {}").load())).isEqualTo("{}");
  }

  @Test
  void namedSectionsCanBeOverriddenAddedAndUnset() {
    AgentConfig config =
        trial
            .election("trial.members { a = \"h:1\", b = \"h:2\", c = \"h:3\" }")
            .variable(VARIABLE + "a", "env:1")
            .variable(VARIABLE + "b", "env:2")
            .property(MEMBERS + "b", "property:2")
            .property(MEMBERS + "c", "null")
            .property(MEMBERS + "d", "property:4")
            .load();

    assertThat(members(config)).isEqualTo("{a=env:1, b=property:2, d=property:4}");
  }

  @Test
  void namedSectionsCanComeFromOverridesOnly() {
    AgentConfig config =
        trial.election("").variable(VARIABLE + "a", "h:1").property(MEMBERS + "b", "h:2").load();

    assertThat(members(config)).isEqualTo("{a=h:1, b=h:2}");
  }

  @Test
  void overrideMatchesTheNameInTheFile() {
    AgentConfig config =
        trial
            .election("trial.members { node_a = \"h:1\", \"b.example\" = \"h:2\", b = \"h:3\" }")
            .variable(VARIABLE + "node_a", "env:1")
            .property(MEMBERS + "b.example", "property:2")
            .load();

    assertThat(members(config)).isEqualTo("{b=h:3, b.example=property:2, node_a=env:1}");
  }

  @Test
  void variableThatMatchesTwoNamesIsRefused() {
    trial.election("trial.members { a_b = x, a-b = y }").variable(VARIABLE + "a_b", "z");

    assertThat(trial.problems()).singleElement().asString().contains("matches each of a-b, a_b");
  }

  @Test
  void invalidNameIsRefusedFromAnySource() {
    trial.election("trial.members { \"a b\" = x }").property(MEMBERS + "c/d", "y");

    assertThat(trial.problems())
        .containsExactly(
            "agent.conf:6: "
                + MEMBERS
                + "a b: an id may have letters A-Z a-z, digits, dot,"
                + " underscore and hyphen only",
            "system property "
                + MEMBERS
                + "c/d: "
                + MEMBERS
                + "c/d: an id may have letters A-Z"
                + " a-z, digits, dot, underscore and hyphen only");
  }

  @Test
  void unquotedDotInANameIsExplained() {
    trial.election("trial.members { n1.example = \"h:1\" }").property(MEMBERS + "n2.example", "h");

    assertThat(trial.problems())
        .hasSize(2)
        .allMatch(problem -> problem.contains("put the whole name into quotes, in the file"));
  }

  @Test
  void valueThatIsNotTextIsRefused() {
    assertThat(trial.election("trial.members { a = [x], b = \"\" }").problems())
        .anyMatch(problem -> problem.contains("members.a = [x]: must be a string, not a list"))
        .anyMatch(problem -> problem.contains("members.b = : must not be empty"))
        .hasSize(2);
    assertThat(trial.election("trial.members = x").problems())
        .singleElement()
        .asString()
        .contains("trial.members = x: is a section; write members { … }");
  }

  @Test
  void namedSectionsShowTheirOrigin() {
    AgentConfig config =
        trial
            .election("trial.members { a = \"me:hush-hush@h:1\" }")
            .variable(VARIABLE + "b", "h:2")
            .load();

    assertThat(config.files().effective().stream().map(Objects::toString))
        .contains(
            MEMBERS + "a = ***@h:1  # agent.conf:6",
            MEMBERS + "b = h:2  # environment " + VARIABLE + "b");
  }

  @Test
  void warningsOfABackendNameTheirElection() {
    AgentConfig config = trial.with("elections.writer.trial.members.a = h").load();

    assertThat(config.files().warnings())
        .containsExactly("portcullis.elections.writer: one member alone at trial://localhost");
  }
}
