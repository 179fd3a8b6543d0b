package io.portcullis.election.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.event.Level;

/** Captures the log lines that contain a given text, until closed. */
public final class LogCapture implements AutoCloseable {
  private static final List<LogCapture> OPEN = new CopyOnWriteArrayList<>();

  private final String text;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogCapture(String text) {
    this.text = text;
  }

  public static LogCapture holding(String text) {
    LogCapture lines = new LogCapture(text);
    OPEN.add(lines);
    return lines;
  }

  static void add(Level level, String message) {
    for (LogCapture each : OPEN) {
      if (message.contains(each.text)) {
        each.lines.add(level + " " + message);
      }
    }
  }

  /** The lines, each prefixed with its level. */
  public List<String> list() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }
}
