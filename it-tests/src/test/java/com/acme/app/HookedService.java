package com.acme.app;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/** Has hook methods for leadership changes, and publishes its health as an MBean. */
public final class HookedService {
  private HookedService() {}

  /** Attributes and operations of the health MBean. */
  public interface HealthMBean {
    String getStatus();

    void fail();

    void recover();
  }

  /** The health that an operator sets. */
  public static final class Health implements HealthMBean {
    private volatile String status = "UP";

    @Override
    public String getStatus() {
      return status;
    }

    @Override
    public void fail() {
      status = "DOWN";
    }

    @Override
    public void recover() {
      status = "UP";
    }
  }

  public static void main(String[] args) throws InterruptedException, JMException {
    CountDownLatch never = new CountDownLatch(1);
    System.out.println("starting");
    never.await(1, TimeUnit.SECONDS);
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new Health(), new ObjectName("com.acme:type=Health"));
    System.out.println("registered");
    never.await();
  }

  static void work() {}

  static void started() {
    System.out.println("hook: started, work is " + outcome());
  }

  static void started(long epoch) {
    System.out.println("hook: started, work is " + outcome() + " " + epoch);
  }

  static void stopped() {
    System.out.println("hook: stopped, work is " + outcome());
  }

  static void stopped(long epoch) {
    System.out.println("hook: stopped, work is " + outcome() + " " + epoch);
  }

  static void fails() {
    throw new IllegalStateException("the hook has failed");
  }

  static void hangs() {
    while (true) {
      LockSupport.parkNanos(50_000_000); // Ignores interrupts.
    }
  }

  static void leader(String identity, long epoch) {
    System.out.println("hook: leader " + identity.substring(0, 1) + " " + epoch);
  }

  private static String outcome() {
    try {
      work();
      return "done";
    } catch (IllegalStateException e) {
      return "refused";
    }
  }
}
