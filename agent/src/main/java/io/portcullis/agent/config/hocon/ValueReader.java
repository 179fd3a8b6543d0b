package io.portcullis.agent.config.hocon;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts a node to a type. A string is parsed as that type, since overrides are strings. */
@FunctionalInterface
public interface ValueReader<T> {

  /** Separates items; a comma inside parentheses belongs to the item. */
  Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  T read(ConfigNode node) throws InvalidValueException;

  static ConfigNode.Leaf leaf(ConfigNode node, String wanted) throws InvalidValueException {
    if (node instanceof ConfigNode.Leaf leaf) {
      return leaf;
    }
    throw new InvalidValueException(
        "must be " + wanted + ", not " + (node instanceof ConfigSection ? "a section" : "a list"));
  }

  static String text(ConfigNode node) throws InvalidValueException {
    String text = leaf(node, "a string").text();
    if (text.isBlank()) {
      throw new InvalidValueException("must not be empty");
    }
    return text;
  }

  /** Reads a string whose key was chosen by the user. */
  static String entry(ConfigNode node) throws InvalidValueException {
    if (node instanceof ConfigSection) {
      throw new InvalidValueException(
          "must be a string, not a section; if this is part of a name that contains a dot, put the"
              + " whole name into quotes, in the file");
    }
    return text(node);
  }

  static boolean flag(ConfigNode node) throws InvalidValueException {
    return switch (leaf(node, "true or false").text().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw new InvalidValueException("must be true or false");
    };
  }

  static ValueReader<Long> number(long least, long most) {
    return node -> {
      String wanted = "a whole number from " + least + " to " + most;
      try {
        long number = new BigDecimal(leaf(node, wanted).text().strip()).longValueExact();
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw new InvalidValueException("must be " + wanted);
      } catch (ArithmeticException e) {
        throw new InvalidValueException("must be " + wanted);
      }
      throw new InvalidValueException("must be " + wanted);
    };
  }

  static double share(ConfigNode node) throws InvalidValueException {
    String wanted = "a share from 0 to 1, such as 1% or 0.01";
    String text = leaf(node, wanted).text().strip();
    boolean percent = text.endsWith("%");
    try {
      BigDecimal number =
          new BigDecimal((percent ? text.substring(0, text.length() - 1) : text).strip());
      double share = (percent ? number.movePointLeft(2) : number).doubleValue();
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw new InvalidValueException("must be " + wanted);
    }
    throw new InvalidValueException("must be " + wanted);
  }

  static ValueReader<String> choice(List<String> choices) {
    String wanted = "one of " + String.join(", ", choices);
    return node -> {
      String text = leaf(node, wanted).text();
      if (choices.contains(text)) {
        return text;
      }
      throw new InvalidValueException("must be " + wanted + KeySuggestion.of(text, choices));
    };
  }

  /** Reads a list. An override may contain {@code [a, b]} or {@code a, b} as one string. */
  static <T> ValueReader<List<T>> list(ValueReader<T> item) {
    return node -> {
      List<T> values = new ArrayList<>();
      for (ConfigNode each : items(node)) {
        values.add(item.read(each));
      }
      return List.copyOf(values);
    };
  }

  private static List<ConfigNode> items(ConfigNode node) throws InvalidValueException {
    if (node instanceof ConfigNode.Listing listing) {
      return listing.items();
    }
    if (node instanceof ConfigNode.Leaf leaf && leaf.place().isOverride()) {
      String text = leaf.text().strip();
      if (text.startsWith("[") && text.endsWith("]")) {
        text = text.substring(1, text.length() - 1);
      }
      List<ConfigNode> items = new ArrayList<>();
      for (String item : text.isBlank() ? new String[0] : COMMA.split(text, -1)) {
        items.add(new ConfigNode.Leaf(leaf.path(), leaf.place(), unquoted(item.strip())));
      }
      return items;
    }
    throw new InvalidValueException("must be a list, such as [a, b]");
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  /** Thrown when a value has the wrong type or range. The message describes a valid value. */
  static final class InvalidValueException extends Exception {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(String expected) {
      super(expected);
    }

    public String why() {
      return String.valueOf(getMessage());
    }
  }

  /** Parses durations such as {@code 500ms}, {@code 10 s}, {@code 1.5h}. */
  static final class DurationParser {
    private static final Pattern DURATION =
        Pattern.compile("([+-]?\\d{1,18}(?:\\.\\d{1,9})?)\\s*([A-Za-zµ]*)");
    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Map<String, Duration> UNITS =
        Map.ofEntries(
            Map.entry("ns", Duration.ofNanos(1)),
            Map.entry("nanos", Duration.ofNanos(1)),
            Map.entry("us", Duration.ofNanos(1000)),
            Map.entry("micros", Duration.ofNanos(1000)),
            Map.entry("ms", Duration.ofMillis(1)),
            Map.entry("millis", Duration.ofMillis(1)),
            Map.entry("milliseconds", Duration.ofMillis(1)),
            Map.entry("s", Duration.ofSeconds(1)),
            Map.entry("second", Duration.ofSeconds(1)),
            Map.entry("seconds", Duration.ofSeconds(1)),
            Map.entry("m", Duration.ofMinutes(1)),
            Map.entry("minute", Duration.ofMinutes(1)),
            Map.entry("minutes", Duration.ofMinutes(1)),
            Map.entry("h", Duration.ofHours(1)),
            Map.entry("hour", Duration.ofHours(1)),
            Map.entry("hours", Duration.ofHours(1)),
            Map.entry("d", Duration.ofDays(1)),
            Map.entry("day", Duration.ofDays(1)),
            Map.entry("days", Duration.ofDays(1)));

    private DurationParser() {}

    /** Reads a duration greater than zero. */
    static Duration positive(ConfigNode node) throws InvalidValueException {
      Duration duration = read(node);
      if (duration.isZero() || duration.isNegative()) {
        throw new InvalidValueException("a duration must be greater than zero, such as 10s");
      }
      return duration;
    }

    /** Reads a duration of zero or more. */
    static Duration notNegative(ConfigNode node) throws InvalidValueException {
      Duration duration = read(node);
      if (duration.isNegative()) {
        throw new InvalidValueException("a duration must not be negative; 0s is the shortest");
      }
      return duration;
    }

    private static Duration read(ConfigNode node) throws InvalidValueException {
      String text = ValueReader.leaf(node, "a duration such as 10s").text().strip();
      Matcher parts = DURATION.matcher(text);
      if (!parts.matches()) {
        throw new InvalidValueException(
            "not a duration; write a number with its unit, such as 500ms or 10s");
      }
      String number = parts.group(1);
      String unit = parts.group(2).toLowerCase(Locale.ROOT);
      if (unit.isEmpty()) {
        throw new InvalidValueException("a duration needs a unit; write " + number + "s");
      }
      Duration one = UNITS.get(unit);
      if (one == null) {
        throw new InvalidValueException(
            "unknown unit " + parts.group(2) + "; write one of ns, us, ms, s, m, h, d");
      }
      BigDecimal nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(one.toNanos()));
      if (nanos.abs().compareTo(MAX_NANOS) > 0) {
        throw new InvalidValueException("this duration is too long; write a shorter one");
      }
      return Duration.ofNanos(nanos.longValue());
    }
  }

  /** Reads keys whose values are the constants of an enum. */
  static final class EnumReader {
    private EnumReader() {}

    public static <E extends Enum<E>> E read(HoconSettings settings, String key, Class<E> type) {
      return Enum.valueOf(type, settings.choice(key, names(type)).toUpperCase(Locale.ROOT));
    }

    /** Reads an optional key; empty if it is missing or invalid. */
    public static <E extends Enum<E>> Optional<E> optional(
        HoconSettings settings, String key, Class<E> type) {
      return settings
          .optional(key, ValueReader.choice(names(type)))
          .map(name -> Enum.valueOf(type, name.toUpperCase(Locale.ROOT)));
    }

    private static <E extends Enum<E>> List<String> names(Class<E> type) {
      List<String> names = new ArrayList<>();
      for (E constant : type.getEnumConstants()) {
        names.add(constant.name().toLowerCase(Locale.ROOT));
      }
      return names;
    }
  }
}
