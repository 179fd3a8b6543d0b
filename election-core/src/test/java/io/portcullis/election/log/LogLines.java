package io.portcullis.election.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.event.Level;

/** The lines of the log that hold a given text, from now until closed. */
public final class LogLines implements AutoCloseable {
  private static final List<LogLines> OPEN = new CopyOnWriteArrayList<>();

  private final String text;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogLines(String text) {
    this.text = text;
  }

  public static LogLines holding(String text) {
    LogLines lines = new LogLines(text);
    OPEN.add(lines);
    return lines;
  }

  static void add(Level level, String message) {
    for (LogLines each : OPEN) {
      if (message.contains(each.text)) {
        each.lines.add(level + " " + message);
      }
    }
  }

  /** Each with its level in front. */
  public List<String> list() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }
}
