package io.portcullis.agent.config;

import io.portcullis.election.fence.FencePlan;

/**
 * Settings of one fence around databases of the application.
 *
 * @param election the election whose epochs it checks
 * @param plan the result of reading the provider's settings
 * @param ungated how writes outside any gated method are treated
 */
public record FenceSection(String id, String election, FencePlan plan, Ungated ungated) {

  /** How writes outside any gated method are treated. */
  public enum Ungated {
    /** They are checked like all other writes, with the epoch at which their transaction began. */
    FENCE,
    /** They are sent without an epoch check. */
    PASS
  }
}
