package io.portcullis.rules.sample;

/** A class that one test alone loads, so that it is never there before. */
public class Latecomer {
  public int arrive() {
    return 1;
  }
}
