package io.portcullis.agent.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads a node as what is asked for. Texts count as what they spell, since overrides are texts. */
@FunctionalInterface
interface ValueReader<T> {

  /** Between items: a comma within parentheses belongs to the item. */
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
    String text = leaf(node, "a text").text();
    if (text.isBlank()) {
      throw new InvalidValueException("must not be empty");
    }
    return text;
  }

  /** A text under a name of the user's own. */
  static String entry(ConfigNode node) throws InvalidValueException {
    if (node instanceof ConfigSection) {
      throw new InvalidValueException(
          "must be a text, not a section; if this is part of a name that holds a dot, put the whole"
              + " name into quotes, in the file");
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

  /** A list; from an override also {@code [a, b]} or {@code a, b} in one text. */
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
}
