package io.portcullis.agent.node;

import java.time.Instant;
import java.util.List;

/**
 * A change of the configuration's files that was seen and not taken up, so that the rules in force
 * differ from the files. It is shown to anybody who may see the status, so it quotes no value of
 * the configuration but ids of rules.
 *
 * @param since when it was seen
 * @param files the files that differ from those in force
 * @param rules the ids of the rules that it would disarm; empty if it was refused for another
 *     reason
 * @param why what is wrong, and what to do about it
 */
public record PendingReload(Instant since, List<String> files, List<String> rules, String why) {
  /** Copies the lists. */
  public PendingReload {
    files = List.copyOf(files);
    rules = List.copyOf(rules);
  }
}
