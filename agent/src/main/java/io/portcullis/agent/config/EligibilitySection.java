package io.portcullis.agent.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

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
