package io.portcullis.agent.config;

import io.portcullis.election.backend.StorePlan;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
    HooksSection hooks) {

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

  /**
   * What must hold for this node to lead, and how it is found out.
   *
   * @param http answers a GET with a status of 2xx
   * @param tcp takes a connection
   * @param bean an MBean's attribute that has a certain value
   * @param every the pause from one round of checks to the next
   * @param timeout how long one check may take
   * @param failures how many in a row make an eligible node ineligible
   * @param successes how many in a row make it eligible again
   */
  public record EligibilitySection(
      Optional<URI> http,
      Optional<Endpoint> tcp,
      Optional<BeanValue> bean,
      Duration every,
      Duration timeout,
      int failures,
      int successes) {

    /** A host and a port. */
    public record Endpoint(String host, int port) {
      @Override
      public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
      }
    }

    /**
     * An attribute and what it must be.
     *
     * @param name the MBean's ObjectName
     * @param equal the attribute's value, as text
     */
    public record BeanValue(String name, String attribute, String equal) {}

    /** Whether anything is checked at all. */
    public boolean isSet() {
      return http.isPresent() || tcp.isPresent() || bean.isPresent();
    }
  }

  /**
   * The application's methods that are called when something happens in an election.
   *
   * @param started when this node has begun to lead
   * @param stopped when it leads no more
   * @param newLeader when somebody leads who did not before
   * @param timeout how long one call may take
   */
  public record HooksSection(
      List<HookMethod> started,
      List<HookMethod> stopped,
      List<HookMethod> newLeader,
      Duration timeout) {

    /** Keeps copies. */
    public HooksSection {
      started = List.copyOf(started);
      stopped = List.copyOf(stopped);
      newLeader = List.copyOf(newLeader);
    }

    static HooksSection read(HoconSettings hooks) {
      return new HooksSection(
          methods(hooks, "started", HookMethod.NOTHING),
          methods(hooks, "stopped", HookMethod.NOTHING),
          methods(hooks, "new-leader", HookMethod.LEADER),
          hooks.duration("timeout"));
    }

    private static List<HookMethod> methods(
        HoconSettings hooks, String key, List<List<String>> allowed) {
      return hooks.optional(key, ValueReader.list(HookMethod.taking(allowed))).orElse(List.of());
    }

    /** Whether there is anything to call. */
    public boolean isSet() {
      return !started.isEmpty() || !stopped.isEmpty() || !newLeader.isEmpty();
    }
  }
}
