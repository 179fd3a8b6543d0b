package io.portcullis.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the agent jar: {@code premain} for the agent, {@code main} for the command line
 * tool.
 *
 * <p>An exception thrown from {@code premain} would abort the JVM with a signal and a core dump.
 * Any failure is therefore printed to stderr and halts the JVM with a defined exit code.
 */
public final class PortcullisAgent {
  /** Exit code if the agent can't work: the service would run without a gate. */
  private static final int CANNOT_WORK = 70;

  private static final AtomicBoolean LOADED = new AtomicBoolean();

  private PortcullisAgent() {}

  /** Called by the JVM before the application's {@code main}. */
  public static void premain(@Nullable String argument, Instrumentation instrumentation) {
    if (IgnoredJvm.include(System.getProperties()) || !LOADED.compareAndSet(false, true)) {
      return;
    }
    try {
      AgentJar jar = AgentJar.ofThisClass();
      if (!isOnBootstrapLoader()) {
        moveToBootstrapLoader(jar, argument, instrumentation);
        return;
      }
      ClassLoader engine = jar.engineLoader(ClassLoader.getPlatformClassLoader());
      inContextOf(engine, () -> start(engine, argument, instrumentation, jar));
    } catch (Throwable e) {
      halt("the agent failed to start; the JVM stops, since no method would be gated: ", e);
    }
  }

  /** Runs the command line tool. */
  public static void main(String[] arguments) {
    try {
      AgentJar jar = AgentJar.ofThisClass();
      ClassLoader engine = jar.engineLoader(ClassLoader.getSystemClassLoader());
      inContextOf(engine, () -> command(engine, arguments, jar));
    } catch (Throwable e) {
      halt("the command failed: ", e);
    }
  }

  private static void start(
      ClassLoader engine, @Nullable String argument, Instrumentation instrumentation, AgentJar jar)
      throws ReflectiveOperationException {
    Class.forName("io.portcullis.agent.runtime.AgentEngineStart", true, engine)
        .asSubclass(EngineStart.class)
        .getConstructor()
        .newInstance()
        .premain(
            argument,
            instrumentation,
            MainClass.names(System.getProperties()),
            jar.backendLoaders(engine),
            FatalExit::say);
  }

  private static void command(ClassLoader engine, String[] arguments, AgentJar jar)
      throws ReflectiveOperationException {
    Class.forName("io.portcullis.agent.cli.Commands", true, engine)
        .getMethod("main", String[].class, Function.class)
        .invoke(null, arguments, jar.backendLoaders(engine));
  }

  private static boolean isOnBootstrapLoader() {
    return PortcullisAgent.class.getClassLoader() == null;
  }

  /**
   * Adds the jar to the bootstrap class path and continues there. The manifest's Boot-Class-Path
   * normally puts gate and launcher where every class can see them, but not if the jar was renamed.
   * Appending the jar later also works, but the JVM then stops using its shared archive for
   * application classes. From then on this package belongs to the bootstrap loader, so the copy of
   * this class there continues the start.
   */
  private static void moveToBootstrapLoader(
      AgentJar jar, @Nullable String argument, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar.file()));
    Class.forName(PortcullisAgent.class.getName(), true, null)
        .getMethod("premain", String.class, Instrumentation.class)
        .invoke(null, argument, instrumentation);
  }

  private interface Work {
    void run() throws ReflectiveOperationException;
  }

  private static void inContextOf(ClassLoader engine, Work work) throws Throwable {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(engine);
    try {
      work.run();
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void halt(String what, Throwable e) {
    StringBuilder message = new StringBuilder("portcullis: ").append(what).append(e);
    for (StackTraceElement frame : e.getStackTrace()) {
      message.append(System.lineSeparator()).append("    at ").append(frame);
    }
    FatalExit.say(message.toString(), CANNOT_WORK);
  }
}
