package io.portcullis.agent.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.ElectionListener;
import io.portcullis.election.ListenerFactory;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.Leader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class ExtensionListenerDispatcherTest {
  private static final ElectionConfig ELECTION =
      new ElectionConfig(
          "orders", "writer", "a-1", null, Timing.builder().lease(Duration.ofSeconds(9)).build());
  private static final Leader LEADER = new Leader("b-2", null, 7);

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private ListenerFactory scribe(String name) {
    return election ->
        new ElectionListener() {
          @Override
          public void newLeader(Leader leader) {
            heard.add(name + " " + election.name() + " " + leader.identity());
          }
        };
  }

  @Test
  @SuppressWarnings("NullAway") // Somebody else's code may break its word.
  void failingListenerDoesNotAffectOtherListeners() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    ListenerFactory broken =
        election -> {
          asked.incrementAndGet();
          throw new NoClassDefFoundError("com/acme/Gone");
        };
    ListenerFactory none = election -> null;
    ListenerFactory failing =
        election ->
            new ElectionListener() {
              @Override
              public void newLeader(Leader leader) {
                throw new AssertionError("on purpose");
              }
            };
    ExtensionListenerDispatcher voice =
        new ExtensionListenerDispatcher(
            ELECTION, List.of(broken, none, failing, scribe("first"), scribe("second")));

    voice.newLeader(LEADER);
    voice.newLeader(LEADER);
    voice.finish(Duration.ofSeconds(20));

    assertThat(heard)
        .containsExactly(
            "first writer b-2", "second writer b-2", "first writer b-2", "second writer b-2");
    assertThat(asked).hasValue(1);
  }

  @Test
  void hangingListenerDoesNotBlockTheDispatcher() throws InterruptedException {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ListenerFactory hanging =
        election -> {
          hangs.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new ElectionListener() {};
        };
    ExtensionListenerDispatcher voice =
        new ExtensionListenerDispatcher(ELECTION, List.of(hanging, scribe("after")));

    voice.newLeader(LEADER);
    assertThat(hangs.await(120, TimeUnit.SECONDS)).isTrue();
    voice.newLeader(LEADER);
    voice.finish(Duration.ofMillis(50));
    assertThat(heard).isEmpty();

    goOn.countDown();
    assertThat(heard.poll(120, TimeUnit.SECONDS)).isEqualTo("after writer b-2");
  }
}
