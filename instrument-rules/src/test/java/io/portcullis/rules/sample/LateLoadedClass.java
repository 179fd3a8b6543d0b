package io.portcullis.rules.sample;

/** A class that one test alone loads, so that it is never there before. */
public class LateLoadedClass {
  public int arrive() {
    return 1;
  }
}
