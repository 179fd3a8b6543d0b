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
    LineSink.write(level, name, message == null ? "" : message, error);
  }

  @Override
  public boolean isTraceEnabled() {
    return LineSink.isEnabled(Level.TRACE, name);
  }

  @Override
  public boolean isDebugEnabled() {
    return LineSink.isEnabled(Level.DEBUG, name);
  }

  @Override
  public boolean isInfoEnabled() {
    return LineSink.isEnabled(Level.INFO, name);
  }

  @Override
  public boolean isWarnEnabled() {
    return LineSink.isEnabled(Level.WARN, name);
  }

  @Override
  public boolean isErrorEnabled() {
    return LineSink.isEnabled(Level.ERROR, name);
  }
}
