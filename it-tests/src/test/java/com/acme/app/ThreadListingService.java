package com.acme.app;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Prints the agent's threads repeatedly, each with what it may have inherited from the service's
 * thread.
 */
public final class ThreadListingService {
  private static final CountDownLatch NEVER = new CountDownLatch(1);
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  private ThreadListingService() {}

  public static void main(String[] args) throws Exception {
    INHERITED.set("of the service");
    Thread.currentThread().setContextClassLoader(new ClassLoader() {});
    do {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("portcullis")) {
          System.out.println(line(thread));
        }
      }
      System.out.println("work: " + outcome());
    } while (!NEVER.await(200, TimeUnit.MILLISECONDS));
  }

  private static String line(Thread thread) throws ReflectiveOperationException {
    ClassLoader loader = thread.getContextClassLoader();
    return "thread "
        + thread.getName()
        + ": group="
        + path(thread.getThreadGroup())
        + " daemon="
        + thread.isDaemon()
        + " loader="
        + (loader == null ? "none" : loader.getClass().getName() + "/" + loader.getName())
        + " inherits="
        + inherits(thread);
  }

  /** Empty if the thread has ended meanwhile. */
  private static String path(ThreadGroup group) {
    if (group == null) {
      return "";
    }
    String parent = path(group.getParent());
    return parent.isEmpty() ? group.getName() : parent + "/" + group.getName();
  }

  private static boolean inherits(Thread thread) throws ReflectiveOperationException {
    Field field = Thread.class.getDeclaredField("inheritableThreadLocals");
    field.setAccessible(true);
    Object map = field.get(thread);
    if (map == null) {
      return false;
    }
    Method entry = map.getClass().getDeclaredMethod("getEntry", ThreadLocal.class);
    entry.setAccessible(true);
    return entry.invoke(map, INHERITED) != null;
  }

  private static String outcome() {
    try {
      work();
      return "done";
    } catch (IllegalStateException e) {
      return "refused";
    }
  }

  static void work() {}

  /** Hook: this node has started to lead. */
  public static void started() {}
}
