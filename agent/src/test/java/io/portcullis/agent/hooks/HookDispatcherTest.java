package io.portcullis.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.config.ElectionSection.HooksSection;
import io.portcullis.agent.config.HookMethod;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HookDispatcherTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final List<String> CALLED = new CopyOnWriteArrayList<>();

  private static volatile CountDownLatch held = new CountDownLatch(0);

  private HookDispatcher hooks = hooks(List.of(), LONG, Application.class);

  /** The application's methods. */
  static final class Application {
    private Application() {}

    static void stopped() {
      CALLED.add("stopped");
    }

    static void stoppedUnder(long epoch) {
      CALLED.add("stopped under " + epoch);
    }

    static void leader(String identity, long epoch) {
      Thread own = Thread.currentThread();
      boolean itsLoader = own.getContextClassLoader() == Application.class.getClassLoader();
      CALLED.add(
          identity + " " + epoch + (own.isDaemon() && itsLoader ? "" : " on a wrong thread"));
    }

    static void identity(String identity) {
      CALLED.add(identity);
    }

    static void fails() {
      throw new IllegalStateException("no jobs");
    }

    static void respondsToInterrupt() throws InterruptedException {
      new CountDownLatch(1).await();
    }

    static void hangs() {
      boolean over = false;
      while (!over) {
        try {
          over = held.await(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
          CALLED.add("interrupted");
        }
      }
      CALLED.add("released");
    }

    void notStatic() {
      CALLED.add("on an object");
    }
  }

  @BeforeEach
  void forget() {
    CALLED.clear();
    held = new CountDownLatch(1);
  }

  @AfterEach
  void end() {
    held.countDown();
    hooks.finish(LONG);
  }

  private static HookMethod method(String name, String... parameters) {
    return new HookMethod(Application.class.getName(), name, List.of(parameters));
  }

  private static HookDispatcher hooks(
      List<HookMethod> stopped, Duration timeout, Class<?> loaded, HookMethod... newLeader) {
    return new HookDispatcher(
        "writer",
        new HooksSection(List.of(), stopped, List.of(newLeader), timeout),
        new ApplicationClassLookup(() -> new Class<?>[] {loaded}, loader -> true));
  }

  private void start(Duration timeout, List<HookMethod> stopped, HookMethod... newLeader) {
    hooks = hooks(stopped, timeout, Application.class, newLeader);
    hooks.start();
  }

  private void stop() {
    hooks.stoppedLeading(7, LossReason.DRAINED, "drained");
  }

  private long count(String hook, String result) {
    return hooks.counts().stream()
        .filter(count -> count.hook().equals(hook) && count.result().equals(result))
        .mapToLong(HookCount::count)
        .sum();
  }

  private void awaitCount(String hook, String result, long number) {
    await().atMost(LONG).until(() -> count(hook, result) == number);
  }

  @Test
  void hooksAreCalledInOrderWithTheirParameters() {
    start(
        LONG,
        List.of(method("stopped")),
        method("leader", "java.lang.String", "long"),
        method("identity", "java.lang.String"));

    for (int i = 1; i <= 10; i++) {
      hooks.newLeader(new Leader("b-" + i, null, i));
      stop();
    }
    awaitCount("stopped", "done", 10);

    assertThat(CALLED).startsWith("b-1 1", "b-1", "stopped", "b-2 2", "b-2", "stopped");
    assertThat(CALLED).hasSize(30).endsWith("b-10 10", "b-10", "stopped");
    assertThat(count("new-leader", "done")).isEqualTo(20);
  }

  @Test
  void stoppedReceivesTheEpoch() {
    start(LONG, List.of(method("stoppedUnder", "long"), method("stopped")));

    stop();

    awaitCount("stopped", "done", 2);
    assertThat(CALLED).containsExactly("stopped under 7", "stopped");
  }

  @Test
  void failingHookIsCountedAndTheNextIsCalled() {
    start(LONG, List.of(method("fails"), method("stopped")));

    stop();

    awaitCount("stopped", "done", 1);
    assertThat(count("stopped", "failed")).isEqualTo(1);
    assertThat(CALLED).containsExactly("stopped");
  }

  @Test
  void missingHookIsCountedAndTheNextIsCalled() {
    HookMethod nowhere = new HookMethod("com.acme.Nowhere", "stop", List.of());
    start(LONG, List.of(nowhere, method("other"), method("notStatic"), method("stopped")));

    stop();

    awaitCount("stopped", "done", 1);
    assertThat(count("stopped", "missing")).isEqualTo(3);
    assertThat(CALLED).containsExactly("stopped");
  }

  @Test
  void hookClassInTwoLoadersIsNotCalled() {
    hooks =
        new HookDispatcher(
            "writer",
            new HooksSection(List.of(), List.of(method("stopped")), List.of(), LONG),
            new ApplicationClassLookup(
                () -> new Class<?>[] {Application.class, Application.class}, loader -> true));
    hooks.start();

    stop();

    awaitCount("stopped", "missing", 1);
    assertThat(CALLED).isEmpty();
  }

  @Test
  void contextLoaderOfAHookIsTheLoaderOfItsClass() throws Exception {
    URL testClasses = HookDispatcherTest.class.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader parent = HookDispatcherTest.class.getClassLoader();
    try (URLClassLoader own = new OwnClasses(testClasses, parent)) {
      Class<?> type = own.loadClass(Application.class.getName());
      hooks =
          new HookDispatcher(
              "writer",
              new HooksSection(
                  List.of(),
                  List.of(),
                  List.of(method("leader", "java.lang.String", "long")),
                  LONG),
              new ApplicationClassLookup(() -> new Class<?>[] {type}, loader -> true));
      hooks.start();

      hooks.newLeader(new Leader("b-1", null, 8));
      awaitCount("new-leader", "done", 1);

      Field called = own.loadClass(HookDispatcherTest.class.getName()).getDeclaredField("CALLED");
      called.setAccessible(true);
      assertThat(type.getClassLoader()).isSameAs(own);
      assertThat(called.get(null)).isEqualTo(List.of("b-1 8"));
    }
  }

  /** Loads this test's classes itself, as a container does with an application's. */
  private static final class OwnClasses extends URLClassLoader {
    OwnClasses(URL place, ClassLoader parent) {
      super(new URL[] {place}, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(HookDispatcherTest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Test
  void slowHookIsInterruptedAndTheNextIsCalled() {
    start(SOON, List.of(method("respondsToInterrupt"), method("stopped")));

    stop();

    awaitCount("stopped", "done", 1);
    assertThat(count("stopped", "timed_out")).isEqualTo(1);
  }

  @Test
  void hooksThatIgnoreInterruptsAreAbandonedUpToALimit() {
    start(SOON, List.of(method("hangs")), method("identity", "java.lang.String"));
    for (int i = 0; i < HookDispatcher.MAX_ABANDONED_CALLS; i++) {
      stop();
    }
    awaitCount("stopped", "timed_out", HookDispatcher.MAX_ABANDONED_CALLS);

    hooks.newLeader(new Leader("b-1", null, 8));
    awaitCount("new-leader", "dropped", 1);
    held.countDown();
    await().atMost(LONG).until(() -> CALLED.stream().filter("released"::equals).count() == 4);
    hooks.newLeader(new Leader("b-2", null, 9));

    awaitCount("new-leader", "done", 1);
    assertThat(CALLED).contains("interrupted", "b-2").doesNotContain("b-1");
  }

  @Test
  void fullQueueDropsTheOldestHookCalls() {
    start(LONG, List.of(method("hangs")), method("identity", "java.lang.String"));
    stop();
    await()
        .atMost(LONG)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("portcullis-writer-hook")));

    for (int i = 1; i <= HookDispatcher.MAX_PENDING_CALLS + 3; i++) {
      hooks.newLeader(new Leader("b-" + i, null, i));
    }
    held.countDown();
    awaitCount("new-leader", "done", HookDispatcher.MAX_PENDING_CALLS);

    assertThat(count("new-leader", "dropped")).isEqualTo(3);
    assertThat(CALLED).doesNotContain("b-1", "b-3").contains("b-4").endsWith("b-67");
  }

  @Test
  void closeRunsQueuedHooksFirst() {
    start(LONG, List.of(method("stopped"), method("stopped"), method("stopped")));

    stop();
    hooks.finish(LONG);

    assertThat(CALLED).hasSize(3);
  }
}
