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
 * A service that runs guest code, like a container: a class with its own loader, on its own thread,
 * is the first to connect to a database, and ends. Prints whether anything of it is retained.
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

  /** Arguments: the service's URL, the guest's URL, the user of both. */
  public static void main(String[] args) throws Exception {
    while (!works()) {
      pause();
    }
    // Threads that the driver starts must not be the guest's.
    try (Connection own = DriverManager.getConnection(args[0], args[2], "")) {
      GuestConnectionService guest = runGuest(args[1], args[2]);
      System.out.println(guest.left() + ", connection valid: " + own.isValid(0));
    }
    NEVER.await();
  }

  private static GuestConnectionService runGuest(String url, String user) throws Exception {
    ClassLoader loader = new GuestLoader();
    Object value = new Object();
    INHERITED.set(value);
    Runnable guestCode =
        (Runnable)
            loader
                .loadClass(Guest.class.getName())
                .getConstructor(String.class, String.class)
                .newInstance(url, user);
    Thread thread = new Thread(guestCode, "guest");
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
  public static final class Guest implements Runnable {
    private final String url;
    private final String user;

    public Guest(String url, String user) {
      this.url = url;
      this.user = user;
    }

    @Override
    public void run() {
      try (Connection connection = DriverManager.getConnection(url, user, "")) {
        connection.createStatement().executeUpdate("create table visits (number int)");
        System.out.println("connected");
      } catch (SQLException e) {
        System.out.println("not connected: " + e);
      }
    }
  }

  /** Loads the guest class itself; all others come from the service. */
  private static final class GuestLoader extends ClassLoader {
    GuestLoader() {
      super(GuestConnectionService.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Guest.class.getName()) || findLoadedClass(name) != null) {
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
