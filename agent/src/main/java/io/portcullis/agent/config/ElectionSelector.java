package io.portcullis.agent.config;

import java.util.Collection;
import java.util.Optional;

/** Which election a rule or a fence belongs to: it may be left out if there is only one. */
final class ElectionSelector {
  private ElectionSelector() {}

  /**
   * The name; empty if there is none to choose.
   *
   * @param elections every election that was named, also those that were refused
   */
  static String read(HoconSettings settings, Collection<String> elections) {
    Optional<String> named = settings.optionalText("election");
    if (named.isPresent()) {
      if (!elections.contains(named.get())) {
        settings.refuse(
            "election",
            "there is no such election"
                + KeySuggestion.nearest(named.get(), elections)
                    .map(near -> "; did you mean " + near + "?")
                    .orElse("; there are: " + known(elections)));
      }
      return named.get();
    }
    if (elections.size() > 1) {
      settings.refuse(
          "election", "is missing; with several elections name one of " + known(elections));
    }
    return elections.size() == 1 ? elections.iterator().next() : "";
  }

  private static String known(Collection<String> elections) {
    return elections.isEmpty() ? "none" : String.join(", ", elections);
  }
}
