package io.portcullis.agent.runtime;

import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.ParticipantFixture;
import io.portcullis.agent.runtime.AgentRuntime.AgentScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AgentSchedulerTest {
  @Test
  void taskRunsAgainAfterAnOutOfMemoryError() {
    AtomicInteger runs = new AtomicInteger();

    new AgentScheduler()
        .scheduleRepeatedly(
            Duration.ofMillis(1),
            () -> {
              if (runs.incrementAndGet() == 1) {
                throw new OutOfMemoryError("for a moment");
              }
            });

    await().atMost(ParticipantFixture.LONG).until(() -> runs.get() > 1);
  }
}
