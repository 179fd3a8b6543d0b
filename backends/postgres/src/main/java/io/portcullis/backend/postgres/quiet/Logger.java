package io.portcullis.backend.postgres.quiet;

import java.text.MessageFormat;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Replacement for {@code java.util.logging.Logger} inside the agent, with the methods that the
 * driver calls. Logs at debug and trace level only: errors reach the agent as exceptions.
 */
public final class Logger {
  private final org.slf4j.Logger target;

  private Logger(org.slf4j.Logger target) {
    this.target = target;
  }

  /** Returns a logger with this name. */
  public static Logger getLogger(String name) {
    return new Logger(LoggerFactory.getLogger(name));
  }

  public String getName() {
    return target.getName();
  }

  /** Whether messages of this level are logged. */
  public boolean isLoggable(Level level) {
    return level.intValue() >= Level.FINE.intValue()
        ? target.isDebugEnabled()
        : target.isTraceEnabled();
  }

  public void log(Level level, String message) {
    write(level, message, null);
  }

  /** Logs a message with one parameter. */
  public void log(Level level, String message, @Nullable Object parameter) {
    log(level, message, new Object[] {parameter});
  }

  public void log(Level level, String message, @Nullable Object[] parameters) {
    if (isLoggable(level)) {
      write(level, MessageFormat.format(message, parameters), null);
    }
  }

  /** Logs a message with an exception. */
  public void log(Level level, String message, Throwable thrown) {
    write(level, message, thrown);
  }

  /** Logs a message that is created only if its level is enabled. */
  public void log(Level level, Supplier<String> message) {
    if (isLoggable(level)) {
      write(level, message.get(), null);
    }
  }

  public void log(LogRecord logged) {
    write(logged.getLevel(), String.valueOf(logged.getMessage()), logged.getThrown());
  }

  private void write(Level level, String message, @Nullable Throwable thrown) {
    if (level.intValue() >= Level.FINE.intValue()) {
      target.debug(message, thrown);
    } else {
      target.trace(message, thrown);
    }
  }
}
