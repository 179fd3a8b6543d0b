package io.portcullis.benchmarks.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.portcullis.benchmarks.failover.Contender;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** fabric8's elector; it releases the Lease when it is cancelled, also by SIGTERM. */
final class Fabric8Contender implements Contender {
  private final KubernetesClient client;
  private final LeaseLock lock;
  private volatile boolean leads;
  private volatile @Nullable CompletableFuture<?> candidacy;

  /**
   * @param token also its identity
   */
  Fabric8Contender(String url, String token, String namespace, String lease) {
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl(url)
                    .withOauthToken(token)
                    .withNamespace(namespace)
                    .build())
            .build();
    lock = new LeaseLock(namespace, lease, token);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stepDown, "step-down"));
  }

  @Override
  public void join() {
    candidacy =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName("bench")
                    .withLeaseDuration(ClientGoTiming.LEASE)
                    .withRenewDeadline(ClientGoTiming.RENEW_DEADLINE)
                    .withRetryPeriod(ClientGoTiming.RETRY)
                    .withReleaseOnCancel()
                    .withLock(lock)
                    .withLeaderCallbacks(
                        new LeaderCallbacks(() -> leads = true, () -> leads = false, id -> {}))
                    .build())
            .build()
            .start();
  }

  @Override
  public boolean mayAct() {
    return leads;
  }

  @Override
  public void stepDown() {
    CompletableFuture<?> current = candidacy;
    if (current != null) {
      current.cancel(true);
    }
  }
}
