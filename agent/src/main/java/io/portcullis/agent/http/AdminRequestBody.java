package io.portcullis.agent.http;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an order's body says.
 *
 * @param election the election it names
 * @param seconds how long calls may take to finish
 * @param to whom to hand over to
 */
record AdminRequestBody(Optional<String> election, OptionalLong seconds, Optional<String> to) {
  static final long MAX_SECONDS = 3600;
  private static final String EXAMPLE = "{\"election\": \"writer\", \"seconds\": 30}";
  private static final List<String> KEYS = List.of("election", "seconds", "to");
  private static final int DEEPEST = 8;

  /** Reads it; an empty one says nothing. */
  static AdminRequestBody read(String body) throws BadRequestException {
    if (body.isBlank()) {
      return new AdminRequestBody(Optional.empty(), OptionalLong.empty(), Optional.empty());
    }
    Map<String, ConfigValue> values = parsed(body).root();
    TreeSet<String> unknown = new TreeSet<>(values.keySet());
    KEYS.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new BadRequestException(
          400, "Unknown: " + unknown.first() + ". The body may be like " + EXAMPLE + ".");
    }
    return new AdminRequestBody(
        name("election", values.get("election")),
        seconds(values.get("seconds")),
        name("to", values.get("to")));
  }

  /** The configuration's own library reads JSON: one less to carry. */
  private static Config parsed(String body) throws BadRequestException {
    if (body.chars().filter(c -> c == '{' || c == '[').count() > DEEPEST) {
      throw new BadRequestException(400, "The body must be plain JSON like " + EXAMPLE + ".");
    }
    try {
      return ConfigFactory.parseString(
          body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    } catch (ConfigException e) {
      throw new BadRequestException(
          400, "The body is no JSON; it may be empty, or like " + EXAMPLE + ".");
    }
  }

  private static Optional<String> name(String key, @Nullable ConfigValue value)
      throws BadRequestException {
    if (value == null || value.valueType() == ConfigValueType.NULL) {
      return Optional.empty();
    }
    if (value.valueType() != ConfigValueType.STRING) {
      throw new BadRequestException(400, key + " must be a name in quotes, as in " + EXAMPLE + ".");
    }
    return Optional.of(String.valueOf(value.unwrapped()));
  }

  private static OptionalLong seconds(@Nullable ConfigValue value) throws BadRequestException {
    if (value == null || value.valueType() == ConfigValueType.NULL) {
      return OptionalLong.empty();
    }
    if (value.valueType() == ConfigValueType.NUMBER) {
      BigDecimal number;
      try {
        number = new BigDecimal(String.valueOf(value.unwrapped()));
      } catch (NumberFormatException e) { // Too large for any number.
        throw new BadRequestException(400, wanted());
      }
      if (number.signum() >= 0 && number.compareTo(BigDecimal.valueOf(MAX_SECONDS)) <= 0) {
        try {
          return OptionalLong.of(number.longValueExact());
        } catch (ArithmeticException e) {
          throw new BadRequestException(400, wanted());
        }
      }
    }
    throw new BadRequestException(400, wanted());
  }

  private static String wanted() {
    return "seconds must be a whole number from 0 to " + MAX_SECONDS + ".";
  }
}
