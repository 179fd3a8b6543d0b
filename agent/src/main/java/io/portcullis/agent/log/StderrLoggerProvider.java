package io.portcullis.agent.log;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The only SLF4J provider visible in the agent's class loaders; logs to {@link LogSink}. */
public final class StderrLoggerProvider implements SLF4JServiceProvider {
  private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter mdc = new NOPMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, StderrLogger::new);
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return mdc;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  /** A logger that writes to {@link LogSink}. */
  static final class StderrLogger extends LegacyAbstractLogger {
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
}
