package com.acme.app;

import java.util.logging.LogManager;

/** A log manager that only this application's class path has. */
public final class OwnLogManager extends LogManager {
  /** Whether it was the service itself that first wanted one. */
  private final boolean madeByService =
      StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame -> frame.getClassName().equals(OwnLoggingService.class.getName())));

  /** For the JDK. */
  public OwnLogManager() {}

  boolean isMadeByService() {
    return madeByService;
  }
}
