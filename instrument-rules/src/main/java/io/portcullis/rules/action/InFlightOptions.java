package io.portcullis.rules.action;

import java.util.Set;

/**
 * What a rule does about calls that were let in.
 *
 * @param recheck whether a call must not end normally under an epoch that was lost meanwhile
 * @param interrupt whether threads inside are interrupted when leadership is lost
 */
public record InFlightOptions(boolean recheck, boolean interrupt) {
  /** They are let in, and that is all. */
  static final InFlightOptions NONE = new InFlightOptions(false, false);

  static final Set<String> KEYS = Set.of("recheck", "interrupt");

  /** A rule that only observes changes no call, so it has none. */
  static InFlightOptions of(ActionOptions options) {
    InFlightOptions wanted =
        new InFlightOptions(options.flag("recheck"), options.flag("interrupt"));
    return options.observe() ? NONE : wanted;
  }

  boolean isNone() {
    return !recheck && !interrupt;
  }

  /** The action's words, and these. */
  String addedTo(String action) {
    return action + (recheck ? ", recheck" : "") + (interrupt ? ", interrupt" : "");
  }

  void refuseForConstructor() throws CannotGateException {
    if (!isNone()) {
      throw new CannotGateException(
          "the end of a constructor can't be seen, so %s can't be had there. Leave it out, or name a"
                  .formatted(recheck ? "recheck" : "interrupt")
              + " method instead of new.");
    }
  }
}
