package io.portcullis.agent.config;

import io.portcullis.election.fence.FencePlan;

/**
 * One fence around databases of the application.
 *
 * @param id its name
 * @param election the election whose epochs it compares
 * @param plan what was made of its settings
 * @param ungated what becomes of writes outside any gated method
 */
public record FenceSection(String id, String election, FencePlan plan, Ungated ungated) {

  /** What becomes of writes outside any gated method. */
  public enum Ungated {
    /** They are compared like all others, by the epoch at which their transaction began. */
    FENCE,
    /** They are sent as they are. */
    PASS
  }
}
