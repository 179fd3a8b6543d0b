package com.acme.tomcat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * Redeploys a web application after each request: ten times while its work is refused, ten times
 * while it is done. When it is refused again, prints how many of its class loaders remain.
 */
public final class TomcatHost {
  private static final int TIMES = 10;
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final Tomcat tomcat = new Tomcat();
  private final String application;
  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
  private Context context;

  private TomcatHost(String application, String folder) {
    this.application = application;
    tomcat.setBaseDir(folder);
    tomcat.setPort(0);
    tomcat.getHost();
    tomcat.getConnector().setProperty("address", "127.0.0.1");
  }

  public static void main(String[] args) throws Exception {
    TomcatHost host = new TomcatHost(args[0], args[1]);
    host.tomcat.start();
    // Threads that the driver starts must not be the application's.
    try (Connection own =
        DriverManager.getConnection(
            System.getProperty("host.url"), System.getProperty("app.user"), "")) {
      host.deploy();
      host.run(own);
    }
  }

  private void run(Connection own) throws Exception {
    int refused = 0;
    int done = 0;
    boolean told = false;
    while (own.isValid(0)) {
      String outcome = ask();
      System.out.println("work: " + outcome);
      if (outcome.equals("refused refused refused") && refused < TIMES) {
        redeploy();
        refused++;
        System.out.println("deployed again as standby: " + refused);
      } else if (outcome.equals("done done done") && done < TIMES) {
        redeploy();
        done++;
        System.out.println("deployed again as leader: " + done);
      } else if (outcome.startsWith("refused") && done == TIMES && !told) {
        told = true;
        System.out.println("deployed: " + loaders.size() + ", loaders left: " + left());
      }
      pause();
    }
  }

  private void redeploy() {
    tomcat.getHost().removeChild(context);
    deploy();
  }

  private void deploy() {
    context = tomcat.addContext("", application);
    Tomcat.addServlet(context, "tasks", "com.acme.web.WebTasksServlet");
    context.addServletMappingDecoded("/", "tasks");
    loaders.add(new WeakReference<>(context.getLoader().getClassLoader()));
  }

  private String ask() throws IOException {
    URI place = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
    try (InputStream in = place.toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static void pause() throws InterruptedException {
    if (NEVER.await(50, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("never");
    }
  }

  /** Loaders that remain when no more of them are collected. */
  private long left() throws InterruptedException {
    long left;
    long before = loaders.size();
    int steady = 0;
    do {
      System.gc();
      pause();
      left = loaders.stream().filter(loader -> loader.get() != null).count();
      steady = left == before ? steady + 1 : 0;
      before = left;
    } while (left > 1 && steady < TIMES);
    return left;
  }
}
