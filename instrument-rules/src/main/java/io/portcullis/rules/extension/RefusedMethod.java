package io.portcullis.rules.extension;

import java.util.List;

/**
 * A gated method. Types are binary names, arrays as {@code byte[]}.
 *
 * @param type the declaring class
 * @param parameterTypes erased
 * @param returnType erased; {@code void} if nothing
 */
public record RefusedMethod(
    String type, String name, List<String> parameterTypes, String returnType) {

  public RefusedMethod {
    parameterTypes = List.copyOf(parameterTypes);
  }

  /** For messages: {@code int com.acme.Orders#count(java.lang.String)}. */
  @Override
  public String toString() {
    return returnType + " " + type + "#" + name + "(" + String.join(",", parameterTypes) + ")";
  }
}
