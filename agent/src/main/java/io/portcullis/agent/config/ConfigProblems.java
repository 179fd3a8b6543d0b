package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * One thing that can't be right. Holds no secret.
   *
   * @param place where it was set
   * @param key the whole key; empty if the problem is with the file itself
   * @param value what was set, redacted; null for a section or what is missing
   * @param text what is wrong and what would be right
   */
  public record ConfigProblem(ValueOrigin place, String key, @Nullable String value, String text) {
    static final Comparator<ConfigProblem> BY_PLACE =
        Comparator.comparing(ConfigProblem::place)
            .thenComparing(ConfigProblem::key)
            .thenComparing(ConfigProblem::text);

    @Override
    public String toString() {
      StringBuilder line = new StringBuilder(place.toString()).append(": ");
      if (!key.isEmpty()) {
        line.append(key);
        if (value != null) {
          line.append(" = ").append(value);
        }
        line.append(": ");
      }
      return line.append(text).toString();
    }
  }

  /**
   * What a problem points at.
   *
   * @param place where it was set, or the section it is missing from
   * @param key the whole key; empty if the problem is with the file itself
   * @param value what was set there, as it was written; null for a section or what is missing
   */
  public record ProblemLocation(ValueOrigin place, String key, @Nullable String value) {
    /** So that a record never prints a secret. */
    @Override
    public String toString() {
      return place + " " + key;
    }
  }
}
