package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.StoreFixture;
import io.portcullis.election.contract.StoredEpoch;
import io.portcullis.servers.kubernetes.TestCluster;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a lease store, tested on a Lease. */
class KubernetesContractTest extends BackendContract {
  @TempDir private static Path folder;
  private static TestCluster cluster;
  private final List<LeaseFixture> sites = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void tidy() {
    sites.forEach(LeaseFixture::wipe);
  }

  @Override
  protected Duration lease() {
    return Duration.ofSeconds(2);
  }

  @Override
  protected StoreFixture newFixture() {
    Timing timing = timing();
    LeaseFixture site = LeaseFixture.fresh(cluster, timing);
    sites.add(site);
    return site;
  }

  @Override
  protected boolean carriesPriorityRequests() {
    return true;
  }

  @Override
  protected List<StoredEpoch> storedEpochs(StoreFixture place) {
    LeaseFixture site = (LeaseFixture) place;
    return List.of(new AnnotatedEpoch(site), new TransitionsEpoch(site));
  }

  /** The annotation. */
  private record AnnotatedEpoch(LeaseFixture site) implements StoredEpoch {
    @Override
    public String name() {
      return "annotation";
    }

    @Override
    public boolean set(String text) {
      site.edit(lease -> lease.withObject("/metadata/annotations").put(LeaseDocument.EPOCH, text));
      return true;
    }

    @Override
    public String get() {
      return site.json().path("metadata").path("annotations").path(LeaseDocument.EPOCH).asText();
    }

    @Override
    public void repair() {
      set(Long.toString(System.currentTimeMillis() / 1000));
    }

    @Override
    public List<String> named() {
      return List.of(
          "kubectl -n "
              + cluster.namespace()
              + " annotate lease "
              + site.name()
              + " --overwrite portcullis.io/epoch=$(date +%s)");
    }
  }

  /** The count of transitions, as a server without validation might return it. */
  private record TransitionsEpoch(LeaseFixture site) implements StoredEpoch {
    @Override
    public String name() {
      return "leaseTransitions";
    }

    @Override
    public boolean set(String text) {
      try {
        BigInteger number = new BigInteger(text.replace("+", "x"));
        if (number.equals(BigInteger.ZERO)) {
          return false;
        }
        site.edit(lease -> lease.withObject("/spec").put("leaseTransitions", number));
        return true;
      } catch (NumberFormatException | KubernetesClientException e) {
        return false; // A cluster validates it.
      }
    }

    @Override
    public String get() {
      return site.json().path("spec").path("leaseTransitions").asText();
    }

    @Override
    public void repair() {
      site.edit(lease -> lease.withObject("/spec").put("leaseTransitions", 0));
    }

    @Override
    public List<String> named() {
      return List.of(
          "kubectl -n "
              + cluster.namespace()
              + " patch lease "
              + site.name()
              + " --type=merge -p '{\"spec\":{\"leaseTransitions\":0}}'");
    }
  }
}
