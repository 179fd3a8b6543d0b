package io.portcullis.agent.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads a node as what is asked for. Texts count as what they spell, since overrides are texts. */
@FunctionalInterface
interface Reading<T> {

  /** Between items: a comma within parentheses belongs to the item. */
  Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  T read(Node node) throws Unreadable;

  static Node.Leaf leaf(Node node, String wanted) throws Unreadable {
    if (node instanceof Node.Leaf leaf) {
      return leaf;
    }
    throw new Unreadable(
        "must be " + wanted + ", not " + (node instanceof Section ? "a section" : "a list"));
  }

  static String text(Node node) throws Unreadable {
    String text = leaf(node, "a text").text();
    if (text.isBlank()) {
      throw new Unreadable("must not be empty");
    }
    return text;
  }

  /** A text under a name of the user's own. */
  static String entry(Node node) throws Unreadable {
    if (node instanceof Section) {
      throw new Unreadable(
          "must be a text, not a section; if this is part of a name that holds a dot, put the whole"
              + " name into quotes, in the file");
    }
    return text(node);
  }

  static boolean flag(Node node) throws Unreadable {
    return switch (leaf(node, "true or false").text().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw new Unreadable("must be true or false");
    };
  }

  static Reading<Long> number(long least, long most) {
    return node -> {
      String wanted = "a whole number from " + least + " to " + most;
      try {
        long number = new BigDecimal(leaf(node, wanted).text().strip()).longValueExact();
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw new Unreadable("must be " + wanted);
      } catch (ArithmeticException e) {
        throw new Unreadable("must be " + wanted);
      }
      throw new Unreadable("must be " + wanted);
    };
  }

  static double share(Node node) throws Unreadable {
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
      throw new Unreadable("must be " + wanted);
    }
    throw new Unreadable("must be " + wanted);
  }

  static Reading<String> choice(List<String> choices) {
    String wanted = "one of " + String.join(", ", choices);
    return node -> {
      String text = leaf(node, wanted).text();
      if (choices.contains(text)) {
        return text;
      }
      throw new Unreadable("must be " + wanted + Suggestion.of(text, choices));
    };
  }

  /** A list; from an override also {@code [a, b]} or {@code a, b} in one text. */
  static <T> Reading<List<T>> list(Reading<T> item) {
    return node -> {
      List<T> values = new ArrayList<>();
      for (Node each : items(node)) {
        values.add(item.read(each));
      }
      return List.copyOf(values);
    };
  }

  private static List<Node> items(Node node) throws Unreadable {
    if (node instanceof Node.Listing listing) {
      return listing.items();
    }
    if (node instanceof Node.Leaf leaf && leaf.place().isOverride()) {
      String text = leaf.text().strip();
      if (text.startsWith("[") && text.endsWith("]")) {
        text = text.substring(1, text.length() - 1);
      }
      List<Node> items = new ArrayList<>();
      for (String item : text.isBlank() ? new String[0] : COMMA.split(text, -1)) {
        items.add(new Node.Leaf(leaf.path(), leaf.place(), unquoted(item.strip())));
      }
      return items;
    }
    throw new Unreadable("must be a list, such as [a, b]");
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
