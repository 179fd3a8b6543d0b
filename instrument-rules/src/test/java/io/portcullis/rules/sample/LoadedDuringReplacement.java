package io.portcullis.rules.sample;

/** A class that only one test loads, during a replacement of rules. */
public class LoadedDuringReplacement {
  public int arrive() {
    return 1;
  }

  public native int far();
}
