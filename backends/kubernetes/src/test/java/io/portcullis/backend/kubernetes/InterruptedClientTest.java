package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** The JDK's HTTP client stops for good if its thread is interrupted. */
@Isolated
class InterruptedClientTest {
  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  @Test
  void storeAnswersAgainAfterTheClientsThreadWasInterrupted() throws InterruptedException {
    FaultyLeaseFixture.warm(site);
    try (Claimant a = site.claimant("a")) {
      await()
          .atMost(FaultyLeaseFixture.MAX_WAIT)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
      List<Thread> threads = clientThreads();
      assertThat(threads).isNotEmpty();

      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join();
      }

      await()
          .atMost(FaultyLeaseFixture.MAX_WAIT)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
    }
  }

  private static List<Thread> clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("-SelectorManager"))
        .toList();
  }
}
