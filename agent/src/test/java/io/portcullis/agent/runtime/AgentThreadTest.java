package io.portcullis.agent.runtime;

import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.NodeFixture;
import io.portcullis.agent.runtime.AgentRuntime.AgentThread;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AgentThreadTest {
  @Test
  void aTaskThatRanOutOfMemoryOnceComesAgain() {
    AtomicInteger runs = new AtomicInteger();

    new AgentThread()
        .every(
            Duration.ofMillis(1),
            () -> {
              if (runs.incrementAndGet() == 1) {
                throw new OutOfMemoryError("for a moment");
              }
            });

    await().atMost(NodeFixture.LONG).until(() -> runs.get() > 1);
  }
}
