package io.portcullis.election.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.event.Level;

/** The lines of the log that hold a given text, from now until closed. */
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

  /** Each with its level in front. */
  public List<String> list() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }
}
