package com.acme.app;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Works, and then prints which of its loaders, pools and loggers other code has used. */
public final class IsolationProbeService {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  /** Classes requested from the context class loader that the service has set on its thread. */
  private static final Set<String> ASKED = new ConcurrentSkipListSet<>();

  private IsolationProbeService() {}

  public static void main(String[] args) throws InterruptedException {
    Thread main = Thread.currentThread();
    ClassLoader own = new RecordingLoader(main.getContextClassLoader());
    main.setContextClassLoader(own);
    while (!works()) {
      pause();
    }
    System.out.println("context loader is still its own: " + (main.getContextClassLoader() == own));
    System.out.println("asked of it: " + ASKED);
    System.out.println("threads with its loader: " + threadsWithItsLoader());
    System.out.println("common pool: " + commonPool());
    System.out.println("finders of loggers made: " + OwnLoggerFinder.MADE_BY);
    System.out.println("logger of the service: " + System.getLogger("com.acme").getName());
    NEVER.await();
  }

  /** Excludes the JVM's own threads; the service has started none but its main thread. */
  private static List<String> threadsWithItsLoader() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(IsolationProbeService::hasItsLoader)
        .map(Thread::getName)
        .sorted()
        .toList();
  }

  private static boolean hasItsLoader(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (group == null || group.getName().equals("system")) {
      return false;
    }
    ClassLoader loader = thread.getContextClassLoader();
    return loader == ClassLoader.getSystemClassLoader() || loader instanceof RecordingLoader;
  }

  private static Map<String, Long> commonPool() {
    ForkJoinPool pool = ForkJoinPool.commonPool();
    return Map.of("threads", (long) pool.getPoolSize(), "tasks", pool.getStealCount())
        .entrySet()
        .stream()
        .filter(each -> each.getValue() != 0)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void pause() throws InterruptedException {
    if (NEVER.await(100, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("never");
    }
  }

  static void work() {}

  private static final class RecordingLoader extends ClassLoader {
    RecordingLoader(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      ASKED.add(name);
      return super.loadClass(name, resolve);
    }
  }
}
