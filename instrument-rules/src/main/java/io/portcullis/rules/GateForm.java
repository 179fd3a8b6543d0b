package io.portcullis.rules;

import org.jspecify.annotations.Nullable;

/**
 * How a method is woven.
 *
 * @param template the advice that is copied into the method
 * @param exception what the template's {@link Refused} parameter makes, if it has one
 */
public record GateForm(Class<?> template, @Nullable OwnException exception) {

  /**
   * An exception of the application's, as the woven method makes it.
   *
   * @param takesMessage whether its constructor takes the message; else it takes nothing
   */
  public record OwnException(String internalName, boolean takesMessage) {}
}
