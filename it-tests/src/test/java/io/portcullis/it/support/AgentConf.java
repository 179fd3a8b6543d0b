package io.portcullis.it.support;

import io.portcullis.servers.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Builds the text of an agent.conf. */
public final class AgentConf {
  /** The rule that gates the write path of the demo service. */
  public static final String APPEND =
      "{ id = append, match = \"com.acme.ledger.Ledger#append(..)\" }";

  private final List<String> rules = new ArrayList<>();
  private final List<String> more = new ArrayList<>();
  private final String election;

  private AgentConf(String election) {
    this.election = election;
  }

  /**
   * One election {@code writer} in Redis with all timings in proportion to the lease, without
   * rules.
   */
  public static AgentConf redis(String uri, Duration lease) {
    long millis = lease.toMillis();
    return new AgentConf(
        """
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
                uri));
  }

  /**
   * The same election in Postgres. Statement timeouts are long, since starting JVMs makes the
   * machine busy.
   */
  public static AgentConf postgres(String url, String user, Duration lease) {
    long millis = lease.toMillis();
    return new AgentConf(
        """
            backend = postgres
            timing { lease = %dms, renew = %dms, ask-timeout = %dms }
            postgres { url = "%s", user = "%s" }
        """
            .formatted(millis, millis / 4, millis / 2, url, user));
  }

  /**
   * The same election as a quorum of the nodes.
   *
   * @param members the address of each member, by id
   * @param self the id of this node
   */
  public static AgentConf quorum(
      Map<String, String> members, String self, Path dataDir, Duration lease) {
    long millis = lease.toMillis();
    return new AgentConf(
        """
            backend = quorum
            timing { lease = %dms, renew = %dms }
            quorum {
              members { %s }
              self = %s
              data-dir = "%s"
            }
        """
            .formatted(
                millis,
                millis / 10,
                members.entrySet().stream()
                    .map(member -> member.getKey() + " = \"" + member.getValue() + "\"")
                    .collect(Collectors.joining(", ")),
                self,
                dataDir));
  }

  /** The same election on a Kubernetes Lease, with these keys of {@code kubernetes}. */
  public static AgentConf kubernetes(Duration lease, String... access) {
    long millis = lease.toMillis();
    return new AgentConf(
        """
            backend = kubernetes
            timing { lease = %dms, renew-deadline = %dms, retry = %dms, ask-timeout = %dms }
            kubernetes {
              %s
            }
        """
            .formatted(
                millis, millis * 3 / 4, millis / 8, millis / 3, String.join("\n      ", access)));
  }

  /** The same election in a directory, with the backend of an extension jar. */
  public static AgentConf extension(Path jar, Path directory, Duration lease) {
    return directory(directory, lease).set("extensions", "[ \"" + jar + "\" ]");
  }

  /** An election by the backend of the extension example, where the agent's jar contains it. */
  public static AgentConf directory(Path directory, Duration lease) {
    long millis = lease.toMillis();
    return new AgentConf(
        """
            backend = directory
            timing { lease = %dms, renew = %dms }
            directory.path = "%s"
        """
            .formatted(millis, millis / 4, directory));
  }

  /** The same election for the demo service, with its write path gated. */
  public static AgentConf ledger(String uri, Duration lease) {
    return redis(uri, lease).rule(APPEND);
  }

  /** The demo service's election in Postgres, as its superuser. */
  public static AgentConf ledger(PostgresServer server, Duration lease) {
    return ledgerOnPostgres(server.url(), server.user(), lease);
  }

  /** The demo service's election in Postgres. */
  public static AgentConf ledgerOnPostgres(String url, String user, Duration lease) {
    return postgres(url, user, lease).rule(APPEND);
  }

  public AgentConf rule(String rule) {
    rules.add(rule);
    return this;
  }

  /** Sets a key below {@code portcullis}; a later value replaces an earlier one. */
  public AgentConf set(String key, String value) {
    more.add("portcullis." + key + " = " + value);
    return this;
  }

  public String text() {
    return """
        portcullis {
          service = ledger
          elections.writer {
        %s
          }
          http.port = 0
          rules = [
            %s
          ]
        }
        %s
        """
        .formatted(election, String.join("\n    ", rules), String.join("\n", more));
  }
}
