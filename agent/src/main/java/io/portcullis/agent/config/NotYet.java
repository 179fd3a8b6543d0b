package io.portcullis.agent.config;

import java.util.Map;

/** Refuses keys of the contract that this version does not serve, unless they say nothing new. */
final class NotYet {
  static final Map<String, String> OF_AGENT = Map.of("http.admin-token-file", "orders by HTTP");
  static final Map<String, String> OF_ELECTION =
      Map.of("hooks", "hooks", "eligible-when", "eligibility by health");

  private NotYet() {}

  static void check(
      Map<String, String> missing, Section set, Section reference, Problems problems) {
    missing.forEach(
        (key, what) -> {
          String[] names = key.split("\\.", -1);
          Section at = set;
          Section known = reference;
          for (int i = 0; i < names.length - 1; i++) {
            at = at.section(names[i]);
            known = known.section(names[i]);
          }
          String last = names[names.length - 1];
          Node node = at.get(last);
          Node standard = known.get(last);
          if (node != null && standard != null) {
            compare(node, standard, what, problems);
          }
        });
  }

  private static void compare(Node node, Node standard, String what, Problems problems) {
    if (node instanceof Section section && standard instanceof Section known) {
      section
          .children()
          .forEach(
              (key, child) -> {
                Node childStandard = known.get(key);
                if (childStandard != null) {
                  compare(child, childStandard, what, problems);
                }
              });
    } else if (!node.isUnset() && !String.valueOf(node.written()).equals(standard.written())) {
      problems.refuse(node.spot(), "not yet: this version has no " + what + "; leave this key out");
    }
  }
}
