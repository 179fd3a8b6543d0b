package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.ValueReader;
import io.portcullis.election.backend.StorePlan;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of one election.
 *
 * @param backend the name of the backend
 * @param plan the result of reading the backend's settings
 * @param campaign when this node starts to campaign
 * @param eligibleWhen health checks that must pass before this node may lead
 * @param settle how long a gated call waits for the store's first response
 * @param shutdownLinger maximum time to keep the lease while the application's own shutdown hooks
 *     run
 * @param hooks methods of the application to call on transitions
 */
public record ElectionSection(
    String name,
    String backend,
    StorePlan plan,
    CampaignSection campaign,
    EligibilitySection eligibleWhen,
    Duration settle,
    Duration shutdownLinger,
    HooksSection hooks) {

  /**
   * Conditions under which a node starts to campaign.
   *
   * @param requiredRules the ids of rules that must be armed
   * @param after maximum time to wait for these rules; 0 means no limit
   */
  public record CampaignSection(List<String> requiredRules, Duration after) {
    public CampaignSection {
      requiredRules = List.copyOf(requiredRules);
    }
  }

  /**
   * Health checks that decide whether this node may lead.
   *
   * @param http must respond to GET with a 2xx status
   * @param tcp must accept a connection
   * @param bean an MBean attribute that must have a given value
   * @param every pause between two rounds of checks
   * @param timeout maximum duration of one check
   * @param failures consecutive failed rounds that make an eligible node ineligible
   * @param successes consecutive successful rounds that make it eligible again
   */
  public record EligibilitySection(
      Optional<URI> http,
      Optional<Endpoint> tcp,
      Optional<BeanValue> bean,
      Duration every,
      Duration timeout,
      int failures,
      int successes) {

    /** A TCP endpoint; an IPv6 host has no brackets. */
    public record Endpoint(String host, int port) {
      @Override
      public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
      }
    }

    /**
     * An MBean attribute and its required value.
     *
     * @param name the MBean's ObjectName
     * @param equal the required value, compared as a string
     */
    public record BeanValue(String name, String attribute, String equal) {}

    /** Whether at least one check is configured. */
    public boolean isSet() {
      return http.isPresent() || tcp.isPresent() || bean.isPresent();
    }
  }

  /**
   * Methods of the application that are called on transitions of an election.
   *
   * @param started called after this node became the leader
   * @param stopped called after this node lost the leadership
   * @param newLeader called when a node becomes the leader, which may be this node
   * @param timeout maximum duration of one call
   */
  public record HooksSection(
      List<HookMethod> started,
      List<HookMethod> stopped,
      List<HookMethod> newLeader,
      Duration timeout) {

    public HooksSection {
      started = List.copyOf(started);
      stopped = List.copyOf(stopped);
      newLeader = List.copyOf(newLeader);
    }

    static HooksSection read(HoconSettings hooks) {
      return new HooksSection(
          methods(hooks, "started", HookMethod.EPOCH),
          methods(hooks, "stopped", HookMethod.EPOCH),
          methods(hooks, "new-leader", HookMethod.LEADER),
          hooks.duration("timeout"));
    }

    private static List<HookMethod> methods(
        HoconSettings hooks, String key, List<List<String>> allowed) {
      return hooks.optional(key, ValueReader.list(HookMethod.taking(allowed))).orElse(List.of());
    }

    /** Whether at least one hook is configured. */
    public boolean isSet() {
      return !started.isEmpty() || !stopped.isEmpty() || !newLeader.isEmpty();
    }
  }
}
