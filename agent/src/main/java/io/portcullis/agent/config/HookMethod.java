package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.ValueReader;
import io.portcullis.agent.config.hocon.ValueReader.InvalidValueException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A static method of the application that is called on transitions of an election.
 *
 * @param type the binary name of the method's class
 * @param parameters the binary names of the parameter types
 */
public record HookMethod(String type, String name, List<String> parameters) {
  private static final String IDENTIFIER =
      "[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*";
  private static final Pattern FORM =
      Pattern.compile(
          "(%s(?:\\.%s)*)#(%s)\\(\\s*([^()]*?)\\s*\\)"
              .formatted(IDENTIFIER, IDENTIFIER, IDENTIFIER));

  /** Parameter lists of hooks that receive the epoch of this node's leadership. */
  static final List<List<String>> EPOCH = List.of(List.of(), List.of("long"));

  /** Parameter lists of hooks that receive a leader: its identity and its epoch. */
  static final List<List<String>> LEADER =
      List.of(List.of(), List.of("java.lang.String"), List.of("java.lang.String", "long"));

  public HookMethod {
    parameters = List.copyOf(parameters);
  }

  /** Reads a method with one of these parameter lists. */
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
              + "' has parameters that this hook does not pass; it may take "
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
