package io.portcullis.it.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The text of an agent.conf. */
public final class AgentConf {
  /** The rule that gates the write path of the demo service. */
  public static final String APPEND =
      "{ id = append, match = \"com.acme.ledger.Ledger#append(..)\" }";

  private final List<String> rules = new ArrayList<>();
  private final List<String> more = new ArrayList<>();
  private final String redisUri;
  private final Duration lease;

  private AgentConf(String redisUri, Duration lease) {
    this.redisUri = redisUri;
    this.lease = lease;
  }

  /** One election {@code writer} in Redis, all times in proportion to the lease; no rule yet. */
  public static AgentConf redis(String uri, Duration lease) {
    return new AgentConf(uri, lease);
  }

  /** The same for the demo service, with its write path gated. */
  public static AgentConf ledger(String uri, Duration lease) {
    return redis(uri, lease).rule(APPEND);
  }

  public AgentConf rule(String rule) {
    rules.add(rule);
    return this;
  }

  /** Sets a key below {@code portcullis}; what is set later wins. */
  public AgentConf set(String key, String value) {
    more.add("portcullis." + key + " = " + value);
    return this;
  }

  public String text() {
    long millis = lease.toMillis();
    return """
        portcullis {
          service = ledger
          elections.writer {
            backend = redis
            timing {
              lease = %dms
              renew = %dms
              retry = [%dms, %dms, %dms]
              ask-timeout = %dms
              reacquire = %dms
              reacquire-max = %dms
            }
            redis.uri = "%s"
          }
          http.port = 0
          rules = [
            %s
          ]
        }
        %s
        """
        .formatted(
            millis,
            millis / 4,
            millis / 20,
            millis / 20,
            millis / 10,
            millis / 8,
            millis / 10,
            millis / 2,
            redisUri,
            String.join("\n    ", rules),
            String.join("\n", more));
  }
}
