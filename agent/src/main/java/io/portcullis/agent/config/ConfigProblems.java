package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;

/** Gathers everything that is wrong, so that it can be said at once. */
public final class ConfigProblems {
  private record Raw(ProblemLocation spot, String text) {}

  private final List<Raw> raw = new ArrayList<>();
  private final Secrets secrets;
  private int passedOver;

  ConfigProblems(Secrets secrets) {
    this.secrets = secrets;
  }

  /**
   * Reports that what was set at this spot can't be right.
   *
   * @param text what is wrong and what would be right
   */
  public void refuse(ProblemLocation spot, String text) {
    if (Substitutions.isUnresolved(spot.value())) {
      passedOver++;
      return; // The missing variable has been reported; nothing is known about the value itself.
    }
    raw.add(new Raw(spot, text));
  }

  /** How many, those included that come of a missing variable: somebody had a reason to refuse. */
  int count() {
    return raw.size() + passedOver;
  }

  /** All of them by place, redacted by everything that is known to be secret by now. */
  List<ConfigProblem> list() {
    return raw.stream().map(this::redacted).distinct().sorted(ConfigProblem.BY_PLACE).toList();
  }

  private ConfigProblem redacted(Raw problem) {
    ProblemLocation spot = problem.spot();
    String value = spot.value() == null ? null : SecretRedaction.shown(spot.key(), spot.value());
    return new ConfigProblem(
        spot.place(),
        spot.key(),
        value == null ? null : printable(secrets.scrub(value)),
        printable(secrets.scrub(SecretRedaction.sentence(problem.text()))));
  }

  /** Control characters could forge a line of the message, or move a terminal's cursor. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  void throwIfAny() {
    if (!raw.isEmpty()) {
      throw new InvalidConfigException(list());
    }
  }
}
