package io.portcullis.rules.sample;

/** A class that one test alone loads, in the middle of a replacement of rules. */
public class LoadedDuringReplacement {
  public int arrive() {
    return 1;
  }

  public native int far();
}
