package io.portcullis.demo;

import java.util.List;

/**
 * Result of checking one guarantee.
 *
 * @param guarantee what must hold
 * @param measure how much was checked
 * @param violations one sentence per violation
 */
record Finding(String guarantee, String measure, List<String> violations) {

  boolean holds() {
    return violations.isEmpty();
  }
}
