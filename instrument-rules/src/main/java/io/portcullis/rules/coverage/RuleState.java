package io.portcullis.rules.coverage;

/** How far a rule has come. */
public enum RuleState {
  /** No class that it means has been seen. */
  PENDING,
  /** It gates at least one method. */
  ARMED,
  /** Classes that it means were seen, but no method to gate. */
  NO_METHOD,
  /** At least one method that it means could not be gated. It stays so. */
  FAILED
}
