package com.acme.bundle;

import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Reads from the host's database, on a thread with the bundle's loader that then ends. */
public final class ReadingActivator implements BundleActivator {
  @Override
  public void start(BundleContext context) throws InterruptedException {
    Callable<?> connections =
        context.getService(context.getServiceReference(Callable.class));
    Thread thread = new Thread(() -> read(connections), "reading");
    thread.setContextClassLoader(ReadingActivator.class.getClassLoader());
    thread.start();
    thread.join();
  }

  private static void read(Callable<?> connections) {
    try (Connection connection = (Connection) connections.call();
        Statement statement = connection.createStatement()) {
      statement.executeQuery("select 1").close();
      System.out.println("read");
    } catch (Exception e) {
      System.out.println("not read: " + e);
    }
  }

  @Override
  public void stop(BundleContext context) {}
}
