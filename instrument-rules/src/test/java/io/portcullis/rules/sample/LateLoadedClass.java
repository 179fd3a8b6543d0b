package io.portcullis.rules.sample;

/** A class that only one test loads, so that it is never loaded before. */
public class LateLoadedClass {
  public int arrive() {
    return 1;
  }
}
