package io.portcullis.rules.weave;

import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.MethodShape;

/** One method to be gated by one rule, in one form. */
record WeaveTask(InstalledRule rule, MethodShape method, WeaveSpec form) {
  /** Name and descriptor tell a method from all others of its class. */
  static String key(String name, String descriptor) {
    return name + descriptor;
  }

  String key() {
    return key(method.name(), method.descriptor());
  }
}
