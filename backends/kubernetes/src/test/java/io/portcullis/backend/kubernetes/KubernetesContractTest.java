package io.portcullis.backend.kubernetes;

import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.Place;
import io.portcullis.servers.kubernetes.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The promises of a store, asked of a Lease. */
class KubernetesContractTest extends BackendContract {
  @TempDir private static Path folder;
  private static Cluster cluster;
  private final List<Site> sites = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = Cluster.start(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void tidy() {
    sites.forEach(Site::wipe);
  }

  @Override
  protected Duration lease() {
    return Duration.ofSeconds(2);
  }

  @Override
  protected Place freshPlace() {
    Timing timing = timing();
    Site site = Site.fresh(cluster, timing);
    sites.add(site);
    return site;
  }

  @Override
  protected boolean carriesWishes() {
    return true;
  }
}
