package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class JmxStartDelayTest {
  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void jmxWaitsWhileTheApplicationLoadsManyClasses() {
    Iterator<Integer> loaded = List.of(500, 1500, 2500, 2700, 2750, 9999).iterator();

    JmxStartDelay.awaitFewClassLoads(loaded::next, PAUSE);

    assertThat(loaded).toIterable().containsExactly(9999);
  }

  @Test
  void jmxStartsAtOnceWhenFewClassesAreLoaded() {
    Iterator<Integer> loaded = List.of(500, 510, 9999).iterator();

    JmxStartDelay.awaitFewClassLoads(loaded::next, PAUSE);

    assertThat(loaded).toIterable().containsExactly(9999);
  }

  @Test
  void unloadedClassesAreNotCountedAsLoaded() {
    Iterator<Integer> loaded = List.of(5000, 400, 9999).iterator();

    JmxStartDelay.awaitFewClassLoads(loaded::next, PAUSE);

    assertThat(loaded).toIterable().containsExactly(9999);
  }
}
