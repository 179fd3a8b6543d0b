package io.portcullis.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM enters: as an agent before {@code main}, or as a command line tool.
 *
 * <p>An exception that leaves {@code premain} would abort the JVM with a signal and a core dump, so
 * whatever goes wrong is told on stderr and ends the JVM with an exit code of its own.
 */
public final class PortcullisAgent {
  /** The agent can't do its work: the service would run without a gate. */
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
      halt("the agent can't work, and a service without its gate is stopped: ", e);
    }
  }

  /** The command line tool. */
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
   * The manifest's Boot-Class-Path puts gate and launcher where every class can see them, unless
   * the jar was renamed. Appending later works too, but makes the JVM give up its shared archive
   * for the application's classes. From then on this package belongs to the bootstrap loader, so
   * the copy of this class there goes on.
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
    StringBuilder words = new StringBuilder("portcullis: ").append(what).append(e);
    for (StackTraceElement frame : e.getStackTrace()) {
      words.append(System.lineSeparator()).append("    at ").append(frame);
    }
    FatalExit.say(words.toString(), CANNOT_WORK);
  }
}
