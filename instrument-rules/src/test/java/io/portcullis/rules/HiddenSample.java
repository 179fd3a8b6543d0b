package io.portcullis.rules;

/** To be defined as a hidden class. */
final class HiddenSample {
  void save() {}
}
