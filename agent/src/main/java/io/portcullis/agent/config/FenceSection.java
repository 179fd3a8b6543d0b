package io.portcullis.agent.config;

import io.portcullis.election.fence.FencePlan;

/**
 * One fence around databases of the application.
 *
 * @param id its name
 * @param election the election whose epochs it compares
 * @param plan what was made of its settings
 */
public record FenceSection(String id, String election, FencePlan plan) {}
