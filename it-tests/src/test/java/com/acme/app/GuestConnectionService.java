package com.acme.app;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A service that lets a visitor in, as a container does with its applications: a class of a loader
 * of its own, on a thread of its own, that is the first to connect to a database, and leaves. Says
 * whether anything of it is kept.
 */
public final class GuestConnectionService {
  private static final int MAX_COLLECTIONS = 100;
  private static final CountDownLatch NEVER = new CountDownLatch(1);
  private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

  private final WeakReference<ClassLoader> loader;
  private final WeakReference<Object> value;

  private GuestConnectionService(WeakReference<ClassLoader> loader, WeakReference<Object> value) {
    this.loader = loader;
    this.value = value;
  }

  /** Arguments: the url that the service itself connects to, the visitor's, the user of both. */
  public static void main(String[] args) throws Exception {
    while (!works()) {
      pause();
    }
    // Threads that the driver itself starts must not be the visitor's.
    try (Connection own = DriverManager.getConnection(args[0], args[2], "")) {
      GuestConnectionService visited = visit(args[1], args[2]);
      System.out.println(visited.left() + ", connection valid: " + own.isValid(0));
    }
    NEVER.await();
  }

  private static GuestConnectionService visit(String url, String user) throws Exception {
    ClassLoader loader = new VisitorLoader();
    Object value = new Object();
    INHERITED.set(value);
    Runnable visitor =
        (Runnable)
            loader
                .loadClass(Visitor.class.getName())
                .getConstructor(String.class, String.class)
                .newInstance(url, user);
    Thread thread = new Thread(visitor, "visitor");
    thread.setContextClassLoader(loader);
    INHERITED.remove();
    thread.start();
    thread.join();
    return new GuestConnectionService(new WeakReference<>(loader), new WeakReference<>(value));
  }

  private String left() throws InterruptedException {
    for (int i = 0; i < MAX_COLLECTIONS && (loader.get() != null || value.get() != null); i++) {
      System.gc();
      pause();
    }
    return "loader kept: " + (loader.get() != null) + ", value kept: " + (value.get() != null);
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
    if (NEVER.await(50, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("never");
    }
  }

  static void work() {}

  /** Writes once. */
  public static final class Visitor implements Runnable {
    private final String url;
    private final String user;

    public Visitor(String url, String user) {
      this.url = url;
      this.user = user;
    }

    @Override
    public void run() {
      try (Connection connection = DriverManager.getConnection(url, user, "")) {
        connection.createStatement().executeUpdate("create table visits (number int)");
        System.out.println("visited");
      } catch (SQLException e) {
        System.out.println("not visited: " + e);
      }
    }
  }

  /** Has the visitor's class for itself; all others are the service's. */
  private static final class VisitorLoader extends ClassLoader {
    VisitorLoader() {
      super(GuestConnectionService.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Visitor.class.getName()) || findLoadedClass(name) != null) {
        return super.loadClass(name, resolve);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
