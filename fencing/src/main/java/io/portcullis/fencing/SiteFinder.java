package io.portcullis.fencing;

import org.jspecify.annotations.Nullable;

/** Tells which databases are fenced. */
@FunctionalInterface
public interface SiteFinder {

  /**
   * The fenced database behind a connection of the application's, null if it is not fenced. Asked
   * once for each connection, on the thread that connects; it must not wait.
   */
  @Nullable FencedSite find(String host, int port, String database);
}
