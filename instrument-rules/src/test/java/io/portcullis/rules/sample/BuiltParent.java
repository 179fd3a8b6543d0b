package io.portcullis.rules.sample;

/** Counts how often it is constructed. */
public class BuiltParent {
  public static int effects;
  public final String name;

  protected BuiltParent(String name) {
    effects++;
    this.name = name;
  }
}
