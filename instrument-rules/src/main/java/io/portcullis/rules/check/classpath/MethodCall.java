package io.portcullis.rules.check.classpath;

/**
 * A call in a method's code, or a reference to a method from which a lambda is made.
 *
 * @param owner binary name of the type it is called on
 * @param special whether it calls just this method and no override of it
 * @param line the line of the source, or 0
 */
public record MethodCall(String owner, String name, String descriptor, boolean special, int line) {
  /** Name and descriptor. */
  public String key() {
    return name + descriptor;
  }
}
