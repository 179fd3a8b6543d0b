package io.portcullis.agent.config;

import java.time.Duration;
import java.util.List;

/**
 * When a node begins to campaign.
 *
 * @param requiredRules the ids of rules that must be armed
 * @param after how long to wait for them at most; 0 for as long as it takes
 */
public record CampaignSection(List<String> requiredRules, Duration after) {
  /** Copies the list. */
  public CampaignSection {
    requiredRules = List.copyOf(requiredRules);
  }
}
