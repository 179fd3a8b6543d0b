package io.portcullis.election.backend;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a builder: typed values that override the defaults of the backend's {@code
 * reference.conf}. Each problem begins with the name of the builder's option.
 */
final class BuilderSettings implements Settings {
  private final ReferenceConf reference;
  private final Map<String, Object> values;
  private final List<String> problems;
  private final UnaryOperator<String> optionName;
  private final String prefix;

  /**
   * @param values the values that were set, by the path of their key
   * @param optionName the builder's name for the option at a path
   */
  BuilderSettings(
      ReferenceConf reference, Map<String, Object> values, UnaryOperator<String> optionName) {
    this(reference, values, new ArrayList<>(), optionName, "");
  }

  private BuilderSettings(
      ReferenceConf reference,
      Map<String, Object> values,
      List<String> problems,
      UnaryOperator<String> optionName,
      String prefix) {
    this.reference = reference;
    this.values = values;
    this.problems = problems;
    this.optionName = optionName;
    this.prefix = prefix;
  }

  /** All problems so far, each with the name of its option. */
  List<String> refusals() {
    return List.copyOf(problems);
  }

  @Override
  public String text(String key) {
    Optional<String> text = optionalText(key);
    if (text.isEmpty()) {
      refuse(key, "is missing.");
    }
    return text.orElse("");
  }

  @Override
  public Optional<String> optionalText(String key) {
    Optional<String> text = find(key, String.class, Function.identity());
    if (text.isPresent() && text.get().isBlank()) {
      refuse(key, "is empty.");
      return Optional.ofNullable(reference.get(prefix + key));
    }
    return text;
  }

  @Override
  public Duration duration(String key) {
    return required(key, optionalDuration(key));
  }

  @Override
  public Optional<Duration> optionalDuration(String key) {
    Optional<Duration> duration = find(key, Duration.class, BuilderSettings::parseDuration);
    if (duration.isPresent() && !isPositive(duration.get())) {
      refuse(key, "is " + duration.get() + "; it must be longer than nothing.");
      String defaultText = reference.get(prefix + key);
      return Optional.ofNullable(defaultText == null ? null : parseDuration(defaultText));
    }
    return duration;
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }

  private static Duration parseDuration(String text) {
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
        : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
  }

  @Override
  public Optional<List<Duration>> optionalDurations(String key) {
    return find(key, DurationList.class, BuilderSettings::parseDurations).map(DurationList::items);
  }

  private static DurationList parseDurations(String text) {
    throw new IllegalStateException("reference.conf: no default list is supported: " + text);
  }

  @Override
  public long number(String key, long least, long most) {
    long number = required(key, find(key, Long.class, Long::valueOf));
    if (number < least || number > most) {
      refuse(key, "is " + number + "; it must be from " + least + " to " + most + ".");
      return least;
    }
    return number;
  }

  @Override
  public double share(String key) {
    double share = required(key, find(key, Double.class, BuilderSettings::parseShare));
    if (!(share >= 0 && share <= 1)) {
      refuse(key, "is " + share + "; it must be a fraction from 0 to 1, such as 0.01.");
      return 0;
    }
    return share;
  }

  private static double parseShare(String text) {
    return text.endsWith("%")
        ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
        : Double.parseDouble(text);
  }

  @Override
  public boolean flag(String key) {
    return required(key, find(key, Boolean.class, Boolean::valueOf));
  }

  @Override
  public String choice(String key, List<String> choices) {
    String choice = text(key);
    if (!choices.contains(choice)) {
      refuse(key, "is " + choice + "; it must be one of " + String.join(", ", choices) + ".");
      return choices.get(0);
    }
    return choice;
  }

  @Override
  public Optional<Secret> secret(String key) {
    Optional<Secret> secret = value(prefix + key, Secret.class);
    Optional<String> file = optionalText(key + "-file");
    if (file.isEmpty()) {
      return secret;
    }
    if (secret.isPresent()) {
      refuse(key, "is set besides " + optionName.apply(prefix + key + "-file") + "; set one.");
      return secret;
    }
    return secretIn(key + "-file", file.get());
  }

  private Optional<Secret> secretIn(String key, String file) {
    try {
      return Optional.of(SecretFile.open(Path.of(file), secret -> {}));
    } catch (IOException e) {
      refuse(key, "can't be read: " + e.getMessage() + ".");
      return Optional.empty();
    }
  }

  @Override
  public Map<String, String> entries(String key) {
    if (!reference.isFreeSection(prefix + key)) {
      throw new IllegalArgumentException("reference.conf has no section " + prefix + key + " {}");
    }
    String inside = prefix + key + ".";
    Map<String, String> entries = new LinkedHashMap<>();
    values.forEach(
        (path, value) -> {
          if (path.startsWith(inside)) {
            entries.put(path.substring(inside.length()), value.toString());
          }
        });
    return entries;
  }

  @Override
  public Settings section(String key) {
    return new BuilderSettings(reference, values, problems, optionName, prefix + key + ".");
  }

  @Override
  public void refuse(String key, String problem) {
    problems.add(key.isEmpty() ? problem : optionName.apply(prefix + key) + " " + problem);
  }

  @Override
  public int problems() {
    return problems.size();
  }

  private static <T> T required(String key, Optional<T> value) {
    return value.orElseThrow(
        () -> new IllegalStateException("reference.conf has no default for " + key));
  }

  private <T> Optional<T> find(String key, Class<T> type, Function<String, T> parser) {
    @Nullable String defaultText = reference.get(prefix + key);
    Optional<T> set = value(prefix + key, type);
    return set.isPresent() || defaultText == null ? set : Optional.of(parser.apply(defaultText));
  }

  private <T> Optional<T> value(String path, Class<T> type) {
    return Optional.ofNullable(values.get(path)).map(type::cast);
  }

  /** Durations that were set as one value. */
  record DurationList(List<Duration> items) {
    DurationList {
      items = List.copyOf(items);
    }
  }
}
