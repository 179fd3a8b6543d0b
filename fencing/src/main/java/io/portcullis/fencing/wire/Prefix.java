package io.portcullis.fencing.wire;

/**
 * Marks a query before whose text another was put, so that its first result is not the driver's.
 */
enum Prefix {
  CHECK
}
