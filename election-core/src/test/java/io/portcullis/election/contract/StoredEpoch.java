package io.portcullis.election.contract;

import java.util.List;

/** One place where a store keeps the epoch of an election, written without using the store. */
public interface StoredEpoch {

  /** Description of the place, for the report of a failed test. */
  String name();

  /** Replaces the epoch with this text; false if the server can't store such a value there. */
  boolean set(String text);

  /** The stored value, as text. */
  String get();

  /** Runs the repair command of the store's message. */
  void repair();

  /** Fragments that a message about it must contain: the place, and the repair. */
  List<String> named();
}
