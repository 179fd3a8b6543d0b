package io.portcullis.demo;

import java.util.List;

/**
 * One thing that must hold, and where it does not.
 *
 * @param promise what must hold
 * @param measure how much was looked at
 * @param violations a sentence for each place where it does not hold
 */
record Finding(String promise, String measure, List<String> violations) {

  boolean holds() {
    return violations.isEmpty();
  }
}
