package io.portcullis.benchmarks.failover;

import java.io.IOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/**
 * Leader election with Curator's latch; one latch per candidacy, since a closed latch can't be
 * restarted.
 */
final class CuratorContender implements Contender {
  private static final int FIRST_RETRY_MILLIS = 100;
  private static final int RETRIES = 5;

  private final CuratorFramework client;
  private final String path;
  private volatile @Nullable LeaderLatch latch;

  CuratorContender(String server, String election) throws InterruptedException {
    int millis = Math.toIntExact(FailoverTiming.LEASE.toMillis());
    client =
        CuratorFrameworkFactory.newClient(
            server, millis, millis, new ExponentialBackoffRetry(FIRST_RETRY_MILLIS, RETRIES));
    client.start();
    client.blockUntilConnected();
    path = "/" + election;
  }

  @Override
  public void join() throws Exception {
    LeaderLatch next = new LeaderLatch(client, path);
    next.start();
    latch = next;
  }

  @Override
  public boolean mayAct() {
    LeaderLatch current = latch;
    return current != null && current.hasLeadership();
  }

  @Override
  public void stepDown() throws IOException {
    LeaderLatch current = latch;
    if (current != null) {
      current.close();
    }
  }
}
