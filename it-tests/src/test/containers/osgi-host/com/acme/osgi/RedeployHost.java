package com.acme.osgi;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Starts and uninstalls one bundle several times, lets it connect to a database, and prints how
 * many of its class loaders remain.
 */
public final class RedeployHost {
  private static final int TIMES = 5;
  private static final int MAX_COLLECTIONS = 100;
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final Framework framework;
  private final String bundle;
  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

  private RedeployHost(Framework framework, String bundle) {
    this.framework = framework;
    this.bundle = bundle;
  }

  /** Arguments: the bundle, and a folder for the framework. */
  public static void main(String[] args) throws Exception {
    while (!works()) {
      pause();
    }
    FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).iterator().next();
    Framework framework =
        factory.newFramework(Map.of(Constants.FRAMEWORK_STORAGE, args[1]));
    framework.start();
    framework
        .getBundleContext()
        .registerService(Callable.class, () -> connect(System.getProperty("app.url")), null);
    RedeployHost host = new RedeployHost(framework, Path.of(args[0]).toUri().toString());
    // Threads that the driver starts must not be the bundle's.
    try (Connection own = connect(System.getProperty("host.url"))) {
      for (int i = 0; i < TIMES; i++) {
        host.deploy();
      }
      System.out.println(
          "deployed: " + TIMES + ", loaders left: " + host.left() + ", " + own.isValid(0));
    }
    framework.waitForStop(0);
  }

  private static Connection connect(String url) throws Exception {
    return DriverManager.getConnection(url, System.getProperty("app.user"), "");
  }

  private void deploy() throws Exception {
    Bundle installed = framework.getBundleContext().installBundle(bundle);
    installed.start();
    loaders.add(new WeakReference<>(installed.adapt(BundleWiring.class).getClassLoader()));
    installed.uninstall();
    CountDownLatch refreshed = new CountDownLatch(1);
    framework
        .adapt(FrameworkWiring.class)
        .refreshBundles(
            null,
            event -> {
              if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                refreshed.countDown();
              }
            });
    refreshed.await();
  }

  private long left() throws InterruptedException {
    long left = loaders.size();
    for (int i = 0; i < MAX_COLLECTIONS && left > 0; i++) {
      System.gc();
      pause();
      left = loaders.stream().filter(loader -> loader.get() != null).count();
    }
    return left;
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Gated. */
  static void work() {}

  private static void pause() throws InterruptedException {
    if (NEVER.await(50, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("never");
    }
  }
}
