package io.portcullis.it.support;

import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts the processes of a test, prints their output if the test fails, and ends them: with the
 * test, or with the class if shared.
 */
public final class TestEnvironment
    implements AfterTestExecutionCallback, AfterEachCallback, AfterAllCallback {
  private final boolean shared;
  private final List<ServiceJvm> jvms = new ArrayList<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private int folders;

  private TestEnvironment(boolean shared) {
    this.shared = shared;
  }

  /** Creates an environment for one test. */
  public static TestEnvironment perTest() {
    return new TestEnvironment(false);
  }

  /** Creates an environment for all tests of a class. */
  public static TestEnvironment shared() {
    return new TestEnvironment(true);
  }

  /** Starts a JVM; it may still be starting on return. */
  public synchronized ServiceJvm start(String name, JvmLauncher launch) throws IOException {
    ServiceJvm jvm = new ServiceJvm(name, launch.start(folder(name)), launch.isStderrRead());
    jvms.add(jvm);
    open.push(jvm);
    return jvm;
  }

  public synchronized RedisServer redis(String... settings) {
    return opened(RedisServer.start(settings));
  }

  public synchronized TcpProxy proxyTo(RedisServer redis) {
    return opened(TcpProxy.to(redis.host(), redis.port()));
  }

  public synchronized PostgresServer postgres(String... settings) {
    return opened(PostgresServer.start(settings));
  }

  public synchronized TcpProxy proxyTo(PostgresServer postgres) {
    return opened(TcpProxy.to(postgres.host(), postgres.port()));
  }

  /** Closes this at the end, before resources that were opened earlier. */
  public synchronized <T extends AutoCloseable> T opened(T closeable) {
    open.push(closeable);
    return closeable;
  }

  /** A new empty folder. */
  public synchronized Path folder(String name) throws IOException {
    Path target = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    return Files.createTempDirectory(target, ++folders + "-" + name + "-");
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      show(context.getDisplayName());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (!shared) {
      closeAll();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    closeAll();
  }

  private synchronized void show(String test) {
    for (ServiceJvm jvm : jvms) {
      System.out.printf("--- %s, when %s failed:%n%s%n", jvm.name(), test, jvm.output().all());
    }
  }

  private synchronized void closeAll() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
    jvms.clear();
  }
}
