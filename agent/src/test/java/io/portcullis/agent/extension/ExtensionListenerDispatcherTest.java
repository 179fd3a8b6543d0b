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

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private ListenerFactory recorder(String name) {
    return election ->
        new ElectionListener() {
          @Override
          public void newLeader(Leader leader) {
            events.add(name + " " + election.name() + " " + leader.identity());
          }
        };
  }

  @Test
  @SuppressWarnings("NullAway") // Third-party code may violate its contract.
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
    ExtensionListenerDispatcher dispatcher =
        new ExtensionListenerDispatcher(
            ELECTION, List.of(broken, none, failing, recorder("first"), recorder("second")));

    dispatcher.newLeader(LEADER);
    dispatcher.newLeader(LEADER);
    dispatcher.finish(Duration.ofSeconds(20));

    assertThat(events)
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
    ExtensionListenerDispatcher dispatcher =
        new ExtensionListenerDispatcher(ELECTION, List.of(hanging, recorder("after")));

    dispatcher.newLeader(LEADER);
    assertThat(hangs.await(120, TimeUnit.SECONDS)).isTrue();
    dispatcher.newLeader(LEADER);
    dispatcher.finish(Duration.ofMillis(50));
    assertThat(events).isEmpty();

    goOn.countDown();
    assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("after writer b-2");
  }
}
