package com.acme.app;

import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;

/** An MBean server builder that exists only on this application's class path. */
public final class OwnServerBuilder extends MBeanServerBuilder {
  static final AtomicInteger BUILT = new AtomicInteger();

  @Override
  public MBeanServer newMBeanServer(
      String defaultDomain, MBeanServer outer, MBeanServerDelegate delegate) {
    BUILT.incrementAndGet();
    return super.newMBeanServer(defaultDomain, outer, delegate);
  }
}
