package io.portcullis.agent.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads lengths of time such as {@code 500ms}, {@code 10 s}, {@code 1.5h}. */
final class DurationParser {
  private static final Pattern LENGTH =
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

  /** One that is longer than nothing. */
  static Duration positive(ConfigNode node) throws InvalidValueException {
    Duration length = read(node);
    if (length.isZero() || length.isNegative()) {
      throw new InvalidValueException("a duration must be longer than nothing, such as 10s");
    }
    return length;
  }

  /** One that may be nothing. */
  static Duration notNegative(ConfigNode node) throws InvalidValueException {
    Duration length = read(node);
    if (length.isNegative()) {
      throw new InvalidValueException("a duration must not be negative; 0s is the shortest");
    }
    return length;
  }

  private static Duration read(ConfigNode node) throws InvalidValueException {
    String text = ValueReader.leaf(node, "a duration such as 10s").text().strip();
    Matcher parts = LENGTH.matcher(text);
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
      throw new InvalidValueException("a duration this long can't be counted; write a shorter one");
    }
    return Duration.ofNanos(nanos.longValue());
  }
}
