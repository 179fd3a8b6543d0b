package io.portcullis.rules.sample;

/** Methods that can't be gated. */
abstract class Bodiless {
  abstract void save();

  native void sync();

  void real() {}
}
