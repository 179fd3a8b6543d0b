package io.portcullis.agent.config;

import io.portcullis.agent.config.ValueReader.InvalidValueException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A static method of the application's, to be called when something happens in an election.
 *
 * @param type the binary name of its class
 * @param name the method's name
 * @param parameters the binary names of its parameters' types
 */
public record HookMethod(String type, String name, List<String> parameters) {
  private static final String IDENTIFIER =
      "[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*";
  private static final Pattern FORM =
      Pattern.compile(
          "(%s(?:\\.%s)*)#(%s)\\(\\s*([^()]*?)\\s*\\)"
              .formatted(IDENTIFIER, IDENTIFIER, IDENTIFIER));

  /** What a hook may take that is only told that something happened. */
  static final List<List<String>> NOTHING = List.of(List.of());

  /** What a hook may take that is told of a leader: its identity, and its epoch. */
  static final List<List<String>> LEADER =
      List.of(List.of(), List.of("java.lang.String"), List.of("java.lang.String", "long"));

  /** Keeps a copy. */
  public HookMethod {
    parameters = List.copyOf(parameters);
  }

  /** A method that takes one of these lists of parameters. */
  static ValueReader<HookMethod> taking(List<List<String>> allowed) {
    return node -> parse(ValueReader.text(node), allowed);
  }

  private static HookMethod parse(String text, List<List<String>> allowed)
      throws InvalidValueException {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new InvalidValueException(
          "'"
              + text
              + "' names no method; write Class#method(parameters), such as"
              + " com.acme.Jobs#resume()");
    }
    String listed = parts.group(3);
    List<String> parameters = listed.isEmpty() ? List.of() : List.of(listed.split("\\s*,\\s*", -1));
    if (!allowed.contains(parameters)) {
      throw new InvalidValueException(
          "'"
              + text
              + "' takes what such a hook is not given; it may take "
              + String.join(" or ", allowed.stream().map(HookMethod::list).toList()));
    }
    return new HookMethod(parts.group(1), parts.group(2), parameters);
  }

  private static String list(List<String> parameters) {
    return "(" + String.join(",", parameters) + ")";
  }

  @Override
  public String toString() {
    return type + "#" + name + list(parameters);
  }
}
