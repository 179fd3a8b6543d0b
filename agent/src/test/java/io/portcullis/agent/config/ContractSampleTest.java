package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that users are shown as the whole of what can be written. */
class ContractSampleTest {
  private static final String SAMPLE =
      """
      portcullis {
        service = orders              # required
        mode = enforce                # enforce | observe (count and log, block nothing) | off
        # when-off = standby          # required with mode = off

        node {
          id = ${?HOSTNAME}           # default: host name
          advertise = "http://10.0.0.7:8080"   # optional
          priority = 0                # a preference, never a safety matter
        }

        elections {
          writer {
            backend = quorum          # quorum | redis | postgres | kubernetes | an extension's
            timing { lease = 10s, renew = 1s, drift = 1%, longest-lease = 10s, first-election = at-once }
            redis      { uri = "redis://localhost:6379", key = "portcullis:orders:writer", replicas = 0 }
            postgres   { url = "jdbc:postgresql://localhost/app", user = app, password-file = "…", table = portcullis_leader, scope = "orders:writer", lock-key = null, channel = portcullis_leader }
            kubernetes { namespace = default, lease = orders-writer, kubeconfig = null, label-pod = false }
            quorum     { listen = "0.0.0.0:7400", members { a = "10.0.0.7:7400", b = "10.0.0.8:7400", c = "10.0.0.9:7400" }, self = a,
                         secret-file = "…", data-dir = "/var/lib/portcullis", tls { cert = …, key = …, ca = … } }
            campaign { required-rules = [], after = 0s }
            eligible-when { http = "http://localhost:8080/actuator/health" }
            settle = 5s
            shutdown-linger = 30s
            hooks { started = ["com.acme.Jobs#resume()"], stopped = ["com.acme.Jobs#pause()"], new-leader = ["com.acme.Audit#leader(java.lang.String,long)"], timeout = 10s }
          }
        }

        rule-sets = [ spring-scheduled ]  # ready-made rule sets
        rules = [
          { id = orders,  match = "com.acme.orders.OrderStore#save(..)" }                 # only one
          { id = cron,    match = "@org.springframework.scheduling.annotation.Scheduled **#*(..)", action = skip, election = writer }
          { id = migrate, match = "org.flywaydb.core.Flyway#migrate()", action = wait, timeout = 10m }
          { id = feed,    match = "com.acme.Feed+#poll(java.time.Duration)", action = return, value = null, mode = observe }
        ]
        stack-traces = false
        on-weave-error = halt

        http { enabled = true, bind = "127.0.0.1", port = 9470, ready-when = participating, admin-token-file = null }   # port 0: a free one
        log  { level = info, format = text }        # or json
        extensions = []
      }
      """;

  @TempDir Path folder;

  @Test
  void onlyWhatThisVersionLacksIsRefused() {
    ConfigFixture trial = new ConfigFixture(folder).file(SAMPLE);

    assertThat(trial.problems())
        .hasSize(1)
        .allMatch(problem -> problem.contains(": not available yet; this version has "))
        .anyMatch(problem -> problem.contains("elections.writer.backend = quorum"));
  }
}
