package io.portcullis.backend.kubernetes;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.kubernetes.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One Lease of a server that fails on demand, accessed as the test chooses. */
record ApiServerLeaseFixture(
    ApiServer server, KubernetesAccess access, String name, @Nullable String pod, Timing timing)
    implements TimedStoreFixture {
  static final Duration MAX_WAIT = TestTimeouts.MAX_WAIT;

  /** For tests that wait for the end of a lease or of a request. */
  static final Timing BRISK = timing(Duration.ofSeconds(6), Duration.ofMillis(200));

  static ApiServerLeaseFixture at(ApiServer server, KubernetesAccess access) {
    String name = "test-" + UUID.randomUUID();
    return new ApiServerLeaseFixture(
        server, access, name, null, timing(TestTimeouts.STEADY_LEASE, Duration.ofMillis(500)));
  }

  ApiServerLeaseFixture labelling(String ownPod) {
    return new ApiServerLeaseFixture(server, access, name, ownPod, timing);
  }

  ApiServerLeaseFixture with(Timing other) {
    return new ApiServerLeaseFixture(server, access, name, pod, other);
  }

  /** client-go's proportions, except that the lease is renewed more often. */
  static Timing timing(Duration lease, Duration retry) {
    return Timing.builder()
        .lease(lease)
        .renew(retry)
        .renewDeadline(lease.multipliedBy(2).dividedBy(3))
        .retryUntilLapse(List.of(retry))
        .askTimeout(lease.dividedBy(4))
        .holdAfterLapse(lease)
        .heldBackoff(Backoff.between(retry, retry.multipliedBy(2)))
        .unknownBackoff(Backoff.between(retry, retry.multipliedBy(2)))
        .drain(Duration.ofSeconds(1))
        .build();
  }

  LeaseName lease() {
    return new LeaseName(ApiServer.NAMESPACE, name);
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return new KubernetesLease(timing, access, lease(), pod).open(config);
  }

  @Override
  public void wipe() {
    server.leases().delete(name);
  }
}
