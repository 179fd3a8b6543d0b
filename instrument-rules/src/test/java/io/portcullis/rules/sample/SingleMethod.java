package io.portcullis.rules.sample;

/** A class with one method to gate. */
class SingleMethod {
  void save() {}
}
