package io.portcullis.fencing.protocol;

/**
 * Marks a query before whose text another was put, so that its first result is not the driver's.
 */
enum QueryPrefix {
  CHECK
}
