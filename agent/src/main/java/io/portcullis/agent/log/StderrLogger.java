package io.portcullis.agent.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger whose lines go to the sink. */
final class StderrLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  StderrLogger(String name) {
    this.name = name;
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable error) {
    String message = MessageFormatter.basicArrayFormat(pattern, arguments);
    LogSink.write(level, name, message == null ? "" : message, error);
  }

  @Override
  public boolean isTraceEnabled() {
    return LogSink.isEnabled(Level.TRACE, name);
  }

  @Override
  public boolean isDebugEnabled() {
    return LogSink.isEnabled(Level.DEBUG, name);
  }

  @Override
  public boolean isInfoEnabled() {
    return LogSink.isEnabled(Level.INFO, name);
  }

  @Override
  public boolean isWarnEnabled() {
    return LogSink.isEnabled(Level.WARN, name);
  }

  @Override
  public boolean isErrorEnabled() {
    return LogSink.isEnabled(Level.ERROR, name);
  }
}
