package io.portcullis.agent;

import java.lang.instrument.Instrumentation;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the engine, created with its no-argument constructor. It is an interface because a
 * reflective call of a method with this many parameters takes many milliseconds on JDK 18 and
 * later.
 */
public interface EngineStart {
  /**
   * Called by the launcher before the application's {@code main}.
   *
   * @param mainClasses possible names of the JVM's main class
   * @param backendLoaders by backend name; null for a backend that is not in the agent's jar
   * @param fatalExit prints the reason and halts the JVM with an exit code
   */
  void premain(
      @Nullable String argument,
      Instrumentation instrumentation,
      Set<String> mainClasses,
      Function<String, @Nullable ClassLoader> backendLoaders,
      ObjIntConsumer<String> fatalExit);
}
