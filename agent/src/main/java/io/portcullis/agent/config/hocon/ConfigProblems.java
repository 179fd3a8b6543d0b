package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.secret.SecretRedaction;
import io.portcullis.agent.config.secret.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects all problems of a configuration, so that they are reported together. */
public final class ConfigProblems {
  private record Raw(ProblemLocation location, String text) {}

  private final List<Raw> raw = new ArrayList<>();
  private final Secrets secrets;
  private int unresolved;

  public ConfigProblems(Secrets secrets) {
    this.secrets = secrets;
  }

  /**
   * Reports that the value at this location is invalid.
   *
   * @param text the cause and the fix
   */
  public void refuse(ProblemLocation location, String text) {
    if (Substitutions.isUnresolved(location.value())) {
      unresolved++;
      return; // The missing variable was reported before; the value itself is unknown.
    }
    raw.add(new Raw(location, text));
  }

  /**
   * Number of refusals, including those that are not listed because the value depends on a missing
   * variable.
   */
  int count() {
    return raw.size() + unresolved;
  }

  /** All problems sorted by origin, with all secrets redacted that are known by now. */
  public List<ConfigProblem> list() {
    return raw.stream().map(this::redacted).distinct().sorted(ConfigProblem.BY_PLACE).toList();
  }

  private ConfigProblem redacted(Raw problem) {
    ProblemLocation location = problem.location();
    String value =
        location.value() == null ? null : SecretRedaction.shown(location.key(), location.value());
    return new ConfigProblem(
        location.place(),
        location.key(),
        value == null ? null : printable(secrets.scrub(value)),
        printable(secrets.scrub(SecretRedaction.sentence(problem.text()))));
  }

  /** Replaces control characters, which could forge log lines or control a terminal. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  public void throwIfAny() {
    if (!raw.isEmpty()) {
      throw new InvalidConfigException(list());
    }
  }

  /**
   * One problem of a configuration. Contains no secret.
   *
   * @param place where the value was set
   * @param key the full key; empty if the problem is the file itself
   * @param value the redacted value; null for a section or a missing key
   * @param text the cause and the fix
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
   * Location of a problem in the configuration.
   *
   * @param place where the value was set, or the section that it is missing from
   * @param key the full key; empty if the problem is the file itself
   * @param value the value as it was written; null for a section or a missing key
   */
  public record ProblemLocation(ValueOrigin place, String key, @Nullable String value) {
    /** Omits the value, which may be a secret. */
    @Override
    public String toString() {
      return place + " " + key;
    }
  }
}
