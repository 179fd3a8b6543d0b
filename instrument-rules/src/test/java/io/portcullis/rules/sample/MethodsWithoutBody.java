package io.portcullis.rules.sample;

/** Methods that can't be gated. */
abstract class MethodsWithoutBody {
  abstract void save();

  native void sync();

  void real() {}
}
