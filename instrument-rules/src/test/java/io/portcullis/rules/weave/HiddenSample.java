package io.portcullis.rules.weave;

/** To be defined as a hidden class. */
final class HiddenSample {
  void save() {}
}
