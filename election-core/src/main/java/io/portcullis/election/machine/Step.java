package io.portcullis.election.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a step: the new role, and the requested side effects.
 *
 * @param role the new role
 * @param effects in order; a {@link Effect.ShutGate} always comes first
 */
public record Step(Role role, List<Effect> effects) {

  static Step to(Role role, Effect... effects) {
    return new Step(role, List.of(effects));
  }

  /** Returns {@code next}, preceded by this step's effects. */
  Step then(Step next) {
    if (effects.isEmpty()) {
      return next;
    }
    List<Effect> all = new ArrayList<>(effects);
    all.addAll(next.effects);
    return new Step(next.role, List.copyOf(all));
  }

  Step with(Effect effect) {
    return then(to(role, effect));
  }

  Step after(Effect effect) {
    return to(role, effect).then(this);
  }
}
