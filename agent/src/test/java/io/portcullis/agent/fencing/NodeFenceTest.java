package io.portcullis.agent.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.agent.config.FenceSection;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import io.portcullis.gate.ElectionGate;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the databases that one fence raises. */
class NodeFenceTest {
  private static final String HOME = "home.local";
  private static final int MANY = 50;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000); // It may overflow.
  private final List<FakeFence> opened = new ArrayList<>();
  private final NodeFence node =
      new NodeFence(
          new FenceSection("main", "writer", new FakePlan(), FenceSection.Ungated.FENCE),
          ElectionGate.forTrial("writer"),
          clock::get);

  private static final class FakeFence implements EpochFence {
    private boolean closed;

    @Override
    public String describe() {
      return "a database";
    }

    @Override
    public CompletionStage<FenceState> read() {
      return CompletableFuture.completedFuture(FenceState.NONE);
    }

    @Override
    public CompletionStage<FenceState> install(long epoch, String holder) {
      return CompletableFuture.completedFuture(new FenceState(epoch, holder));
    }

    @Override
    public FenceFunctions functions() {
      return new FenceFunctions("check", "hold", "let_go");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class FakePlan implements FencePlan {
    @Override
    public String describe() {
      return "a fence";
    }

    @Override
    public String database() {
      return "jdbc:postgresql://" + HOME + ":5432/app";
    }

    @Override
    public String scope() {
      return "orders:writer";
    }

    @Override
    public Duration writerTimeout() {
      return Duration.ofMillis(200);
    }

    @Override
    public boolean covers(InetSocketAddress server, String database) {
      return true;
    }

    @Override
    public boolean isHome(InetSocketAddress server, String database) {
      return server.getHostString().equals(HOME);
    }

    @Override
    public EpochFence open(String who) {
      return new FakeFence();
    }

    @Override
    public EpochFence open(String who, String host, int port, String database) {
      FakeFence fence = new FakeFence();
      opened.add(fence);
      return fence;
    }
  }

  @BeforeEach
  void begin() {
    EpochFence home = node.openHome("a");
    node.begin(
        new FencedStore(new InProcessLease().connect(), List.of(home), "a", Duration.ofSeconds(2)));
  }

  private FenceTarget site(int number) {
    return node.target(InetSocketAddress.createUnresolved("127.0.0." + number, 5432), "app");
  }

  @Test
  void databaseOfTheUrlIsNotAddedAgain() throws FenceNotReadyException {
    FenceTarget site = node.target(InetSocketAddress.createUnresolved(HOME, 5432), "app");

    assertThat(opened).isEmpty();
    assertThat(site.checkFunctions().check()).isEqualTo("check");
  }

  @Test
  void numberOfMatchedDatabasesIsBounded() throws FenceNotReadyException {
    for (int i = 1; i <= MANY; i++) {
      site(i);
    }

    assertThat(opened).hasSize(NodeFence.MAX_DATABASES);
    assertThat(site(1).checkFunctions().check()).isEqualTo("check");
    assertThatThrownBy(() -> site(MANY).checkFunctions())
        .isInstanceOf(FenceNotReadyException.class)
        .hasMessageContaining("narrow its match");
    assertThat(node.view(site -> 0)).hasSize(1 + NodeFence.MAX_DATABASES + 1);
  }

  @Test
  void databaseWithoutConnectionsIsRemovedAfterAWhile() {
    FenceTarget used = site(1);
    for (int i = 2; i <= NodeFence.MAX_DATABASES; i++) {
      site(i);
    }
    clock.addAndGet(NodeFence.MAX_UNUSED.toNanos());
    node.refresh(site -> site == used ? 1 : 0);
    assertThat(opened).noneMatch(fence -> fence.closed);
    site(2); // The application connects.
    clock.addAndGet(1);

    node.refresh(site -> site == used ? 1 : 0);

    assertThat(opened.stream().filter(fence -> !fence.closed)).hasSize(2);
    assertThat(node.view(site -> 0)).hasSize(3);
    assertThat(site(1)).isSameAs(used);
    site(MANY);
    assertThat(opened).hasSize(NodeFence.MAX_DATABASES + 1);
  }
}
