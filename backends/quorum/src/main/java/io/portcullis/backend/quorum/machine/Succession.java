package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.PreferredNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who could follow this leader, as it stood at one step. News for whoever hands over; nobody's vote
 * rests on it.
 *
 * @param objections each other member by its id, and what speaks against it, empty if nothing does
 * @param preferred the one that wants to lead and has a higher priority, null if there is none
 */
public record Succession(Map<String, String> objections, @Nullable PreferredNode preferred) {
  /** This member does not lead, so it has nobody to hand over to. */
  public static final Succession NONE = new Succession(Map.of(), null);

  /** Keeps a copy. */
  public Succession {
    objections = Map.copyOf(objections);
  }
}
