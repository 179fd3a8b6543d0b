package io.portcullis.agent.config;

import io.portcullis.election.backend.StorePlan;
import java.time.Duration;

/**
 * One election as this node is to take part in it.
 *
 * @param name the election's name
 * @param backend the name of its backend
 * @param plan what the backend made of its settings
 * @param campaign when to begin
 * @param eligibleWhen what must hold for this node to lead
 * @param settle how long a gated call waits for the store's first answer
 * @param shutdownLinger how long the lease is kept while the application's own hooks run
 * @param hooks what of the application's to call
 */
public record ElectionSection(
    String name,
    String backend,
    StorePlan plan,
    CampaignSection campaign,
    EligibilitySection eligibleWhen,
    Duration settle,
    Duration shutdownLinger,
    HooksSection hooks) {}
