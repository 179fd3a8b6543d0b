package io.portcullis.election.contract;

import java.util.List;

/** One of the places where a store keeps the epoch of an election, written to past the store. */
public interface StoredEpoch {

  /** Where it is, for the report of a failed test. */
  String name();

  /** Writes this text in place of the epoch; false if the server can't hold such a value there. */
  boolean set(String text);

  /** What is kept there now, as text. */
  String get();

  /** Runs what the store's sentence says is to be run. */
  void repair();

  /** What a sentence about it must contain: the place, and the repair. */
  List<String> named();
}
