package io.portcullis.election.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DaemonThreadsTest {
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // Also inherited, unless it is set.
  void threadInheritsNothingFromItsCreator() throws Exception {
    CompletableFuture<Thread> made = new CompletableFuture<>();
    CompletableFuture<String> inherited = new CompletableFuture<>();
    Thread application =
        new Thread(
            new ThreadGroup("application"),
            () -> {
              INHERITED.set("of the application");
              Thread thread =
                  DaemonThreads.unstarted("test", () -> inherited.complete(INHERITED.get()));
              made.complete(thread);
              thread.start();
            });
    application.setContextClassLoader(new URLClassLoader(new URL[0]));
    application.setPriority(Thread.MIN_PRIORITY);
    application.start();

    Thread thread = made.get();
    assertThat(inherited.get()).isNull();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    assertThat(thread.getContextClassLoader()).isSameAs(DaemonThreads.class.getClassLoader());
    ThreadGroup group = DaemonThreads.unstarted("other", () -> {}).getThreadGroup();
    assertThat(group.getName()).isEqualTo("portcullis");
    assertThat(group.getParent().getParent()).isNull();
  }

  @Test
  void threadIgnoresInterruptsUntilItsOwnerStopsIt() throws InterruptedException {
    AtomicBoolean ending = new AtomicBoolean();
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread thread =
        DaemonThreads.unstarted(
            "test",
            ending::get,
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    thread.start();

    thread.interrupt();
    thread.getThreadGroup().interrupt();
    assertThat(thread.isInterrupted()).isFalse();

    ending.set(true);
    thread.interrupt();
    interrupted.await();
    thread.join();
  }

  @Test
  void poolGoesOnAfterInterruptsAndEndsWhenShutDown() throws Exception {
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    CountDownLatch goOn = new CountDownLatch(1);
    ThreadPoolExecutor pool =
        DaemonThreads.pool(
            () -> "test",
            1,
            1,
            Duration.ofMinutes(1),
            new LinkedBlockingQueue<>(),
            new AbortPolicy());
    var waiting =
        pool.submit(
            () -> {
              worker.complete(Thread.currentThread());
              goOn.await();
              return "done";
            });

    worker.get().interrupt();
    goOn.countDown();
    assertThat(waiting.get()).isEqualTo("done");

    CountDownLatch begun = new CountDownLatch(1);
    var stuck =
        pool.submit(
            () -> {
              begun.countDown();
              return new CountDownLatch(1).await(1, TimeUnit.HOURS);
            });
    begun.await();
    pool.shutdownNow();
    assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(stuck.isDone()).isTrue();
  }

  @Test
  void idleScheduledExecutorEndsWhenShutDown() throws Exception {
    var scheduled = DaemonThreads.scheduled("test", new AbortPolicy());
    assertThat(scheduled.submit(() -> "done").get()).isEqualTo("done");

    scheduled.shutdown();

    assertThat(scheduled.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void threadForApplicationCodeCanBeInterrupted() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread thread =
        DaemonThreads.interruptible(
            "test",
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    thread.start();

    thread.interrupt();

    interrupted.await();
  }
}
