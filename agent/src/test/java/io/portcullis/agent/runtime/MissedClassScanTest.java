package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissedClassScanTest {
  private final List<String> done = new ArrayList<>();
  private int loaded = 100;

  private Runnable recording(String what) {
    return () -> done.add(what);
  }

  @Test
  void failureOfOneScanDoesNotStopTheOthers() {
    Runnable fails =
        () -> {
          throw new OutOfMemoryError("not really");
        };
    MissedClassScan sweep =
        new MissedClassScan(() -> loaded, recording("first"), fails, recording("last"));

    for (int look = 0; look < 3; look++) {
      assertThatThrownBy(sweep::run).isInstanceOf(OutOfMemoryError.class);
    }

    // The failed scan runs each time, although no class was loaded.
    assertThat(done).containsExactly("first", "last", "first", "last", "first", "last");
  }

  @Test
  void scansAreSkippedWhileNoClassIsLoaded() {
    MissedClassScan sweep = new MissedClassScan(() -> loaded, recording("look"));

    for (int look = 0; look < 6; look++) {
      sweep.run();
    }
    assertThat(done).hasSize(2);

    loaded++;
    sweep.run();
    assertThat(done).hasSize(3);
  }
}
