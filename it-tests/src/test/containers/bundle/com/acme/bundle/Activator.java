package com.acme.bundle;

import com.acme.app.Workshop;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Runs the bundle's workshop, and prints the kind of its class loader. */
public final class Activator implements BundleActivator {
  @Override
  public void start(BundleContext context) {
    System.out.println("loaded by: " + Workshop.class.getClassLoader().getClass().getName());
    new Thread(Activator::run, "workshop").start();
  }

  private static void run() {
    try {
      Workshop.main(new String[0]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop(BundleContext context) {}
}
