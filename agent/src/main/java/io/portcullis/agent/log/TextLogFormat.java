package io.portcullis.agent.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Formats a log line as text. The agent's own lines are key-value pairs after {@code portcullis}
 * and end with the level; lines of other loggers have level and logger name in front.
 */
final class TextLogFormat {
  private static final String OWN = "portcullis ";

  private TextLogFormat() {}

  static String of(
      String time, Level level, String logger, String message, @Nullable Throwable error) {
    String text = oneLine(message);
    String line =
        logger.equals("portcullis") && text.startsWith(OWN)
            ? time + " " + text + " level=" + level.name().toLowerCase(Locale.ROOT)
            : time + " " + OWN + level + " " + shortName(logger) + " " + text;
    return error == null ? line : line + System.lineSeparator() + trace(error);
  }

  /** Escapes control characters, so that a message from outside can't forge a log line. */
  private static String oneLine(String message) {
    StringBuilder line = new StringBuilder(message.length());
    message
        .codePoints()
        .forEach(
            point -> {
              if (point == '\n') {
                line.append("\\n");
              } else if (Character.isISOControl(point)) {
                line.append("\\u").append(String.format("%04x", point));
              } else {
                line.appendCodePoint(point);
              }
            });
    return line.toString();
  }

  private static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  static String trace(Throwable error) {
    StringBuilder trace = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = error; cause != null && seen.add(cause); cause = cause.getCause()) {
      trace.append(cause == error ? "" : "Caused by: ");
      trace.append(oneLine(String.valueOf(cause))).append('\n');
      for (StackTraceElement frame : cause.getStackTrace()) {
        trace.append("    at ").append(frame).append('\n');
      }
    }
    return trace.toString().stripTrailing();
  }
}
