package io.portcullis.fencing;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Tells which databases are fenced. */
@FunctionalInterface
public interface FencedDatabaseLookup {

  /**
   * The fenced database behind a connection of the application's, null if it is not fenced. Asked
   * once for each connection, on the thread that connects; it may wait for a few seconds at most.
   *
   * @param server the host as the driver was given it, and the address that it has connected to
   */
  @Nullable FencedDatabase find(InetSocketAddress server, String database);
}
