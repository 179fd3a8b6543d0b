package io.portcullis.rules.sample;

/** A class with a native method, which can't be gated. */
class Native {
  @Override
  public native int hashCode();

  int real() {
    return 1;
  }

  int other() {
    return 2;
  }
}
