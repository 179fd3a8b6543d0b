package com.acme.app;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Works first, and only then initializes its logging and its MBean server. */
public final class OwnLoggingService {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private OwnLoggingService() {}

  public static void main(String[] args) throws InterruptedException, MalformedObjectNameException {
    while (!works()) {
      pause();
    }
    LogManager logs = LogManager.getLogManager();
    System.out.println("log manager: " + logs.getClass().getName());
    System.out.println(
        "made by the service: " + (logs instanceof OwnLogManager own && own.isMadeByService()));
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    System.out.println("MBean servers built: " + OwnServerBuilder.BUILT.get());
    ObjectName ofAgent = new ObjectName("io.portcullis:*");
    while (server.queryNames(ofAgent, null).size() < 3) {
      pause();
    }
    System.out.println("beans of the agent: " + server.queryNames(ofAgent, null).size());
    NEVER.await();
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
}
