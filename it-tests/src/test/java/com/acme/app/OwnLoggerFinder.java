package com.acme.app;

import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A logger finder that the JDK uses if it is on the class path. */
public final class OwnLoggerFinder extends System.LoggerFinder {
  static final Set<String> MADE_BY = new ConcurrentSkipListSet<>();

  /** Called by the JDK. */
  public OwnLoggerFinder() {
    MADE_BY.add(Thread.currentThread().getName());
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Silent(name);
  }

  private record Silent(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return false;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {}

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {}
  }
}
