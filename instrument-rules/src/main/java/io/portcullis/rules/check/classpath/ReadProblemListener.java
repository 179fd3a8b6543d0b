package io.portcullis.rules.check.classpath;

/** Hears what is wrong with what is being read. */
@FunctionalInterface
interface ReadProblemListener {
  void complain(String text);
}
