package io.portcullis.agent;

import java.lang.instrument.Instrumentation;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of {@code premain}, made by a constructor without parameters. A method of so
 * many parameters that is called by reflection costs JDKs from 18 on many milliseconds.
 */
public interface EngineStart {
  /**
   * Called by the launcher before the application's {@code main}.
   *
   * @param mainClasses what this JVM was started to run
   * @param backendLoaders by name; null for a backend that is not in the agent's jar
   * @param lastWords says why and ends the JVM with an exit code
   */
  void premain(
      @Nullable String argument,
      Instrumentation instrumentation,
      Set<String> mainClasses,
      Function<String, @Nullable ClassLoader> backendLoaders,
      ObjIntConsumer<String> lastWords);
}
