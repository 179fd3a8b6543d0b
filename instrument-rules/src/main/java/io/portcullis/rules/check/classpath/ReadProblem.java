package io.portcullis.rules.check.classpath;

/**
 * Something on the class path that can't be read.
 *
 * @param place the file, and where in it after a {@code !}
 * @param className the binary name that the class would have; empty if it is not about one class
 * @param fatal whether a whole path that was asked for is not there
 */
public record ReadProblem(String place, String className, String text, boolean fatal) {
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
