package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.LogSuffixSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the suffix that a store adds to its election's log lines. */
class StoreLogSuffixTest {
  private final ElectionNodes nodes = new ElectionNodes();
  private final LogCapture lines = LogCapture.holding(" node=only ");

  @AfterEach
  void closeAll() {
    nodes.close();
    lines.close();
  }

  private String lineOfALeaderWhoseStoreSays(Supplier<String> mark) throws InterruptedException {
    LeaderElection node = nodes.node(new SuffixedStore(nodes.connect(), mark));
    node.start();
    assertThat(node.awaitLeadership(LONG)).isTrue();
    return await()
        .atMost(LONG)
        .until(
            () ->
                lines.list().stream()
                    .filter(line -> line.contains("became leader"))
                    .findFirst()
                    .orElse(""),
            line -> !line.isEmpty());
  }

  @Test
  void storeLogSuffixEndsElectionLogLines() throws Exception {
    assertThat(lineOfALeaderWhoseStoreSays(() -> "scope_key=42"))
        .endsWith(" why=\"lease acquired\" scope_key=42");
  }

  @Test
  void exceptionInLogSuffixIsTolerated() throws Exception {
    assertThat(
            lineOfALeaderWhoseStoreSays(
                () -> {
                  throw new IllegalStateException("planted");
                }))
        .endsWith(" why=\"lease acquired\"");
  }

  @Test
  @SuppressWarnings("NullAway") // Third-party stores do not have such checks.
  void nullLogSuffixIsOmitted() throws Exception {
    assertThat(lineOfALeaderWhoseStoreSays(() -> null)).endsWith(" why=\"lease acquired\"");
  }

  private record SuffixedStore(LeaseStore inner, Supplier<String> mark)
      implements LeaseStore, LogSuffixSource {
    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      return inner.ask(request);
    }

    @Override
    public String logSuffix() {
      return mark.get();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
