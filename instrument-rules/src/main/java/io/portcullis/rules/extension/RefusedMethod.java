package io.portcullis.rules.extension;

import java.util.List;

/**
 * A gated method. Types are binary names, arrays as {@code byte[]}.
 *
 * @param type the class that declares it
 * @param name its name
 * @param parameterTypes the types of its parameters, erased
 * @param returnType what it returns, erased; {@code void} if nothing
 */
public record RefusedMethod(
    String type, String name, List<String> parameterTypes, String returnType) {

  /** Copies the list. */
  public RefusedMethod {
    parameterTypes = List.copyOf(parameterTypes);
  }

  /** {@code int com.acme.Orders#count(java.lang.String)}, for people. */
  @Override
  public String toString() {
    return returnType + " " + type + "#" + name + "(" + String.join(",", parameterTypes) + ")";
  }
}
