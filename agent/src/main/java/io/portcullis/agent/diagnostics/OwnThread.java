package io.portcullis.agent.diagnostics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A thread of the agent, or of a library that it brought, at one moment.
 *
 * @param name its name
 * @param state what it does
 * @param frames where it is, innermost first
 */
public record OwnThread(String name, String state, List<String> frames) {
  private static final int MAX_FRAMES = 12;
  private static final String PREFIX = "portcullis";

  /** All there are now; {@code ours} knows the agent's class loaders. */
  static List<OwnThread> all(Predicate<ClassLoader> ours) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> isOurs(entry.getKey(), ours))
        .map(
            entry ->
                new OwnThread(
                    entry.getKey().getName(),
                    entry.getKey().getState().name(),
                    frames(entry.getValue())))
        .sorted(Comparator.comparing(OwnThread::name))
        .toList();
  }

  private static boolean isOurs(Thread thread, Predicate<ClassLoader> ours) {
    ClassLoader loader = thread.getContextClassLoader();
    return thread.getName().startsWith(PREFIX) || (loader != null && ours.test(loader));
  }

  private static List<String> frames(StackTraceElement[] stack) {
    return Arrays.stream(stack).limit(MAX_FRAMES).map(StackTraceElement::toString).toList();
  }
}
