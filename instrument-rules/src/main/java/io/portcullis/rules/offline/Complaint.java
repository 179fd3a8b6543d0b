package io.portcullis.rules.offline;

/** Hears what is wrong with what is being read. */
@FunctionalInterface
interface Complaint {
  void complain(String text);
}
