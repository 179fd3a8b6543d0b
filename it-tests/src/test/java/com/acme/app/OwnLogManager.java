package com.acme.app;

import java.util.logging.LogManager;

/** A log manager that exists only on this application's class path. */
public final class OwnLogManager extends LogManager {
  /** Whether the service itself was the first to use it. */
  private final boolean madeByService =
      StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame -> frame.getClassName().equals(OwnLoggingService.class.getName())));

  /** Called by the JDK. */
  public OwnLogManager() {}

  boolean isMadeByService() {
    return madeByService;
  }
}
