package io.portcullis.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * Entry points for woven database drivers: they get the streams of their sockets here, so that a
 * fence can follow the protocol on the connection, and pass their exceptions through here when they
 * throw them.
 *
 * <p>A driver is woven only where there are fences. A call before {@link #install} is an error and
 * fails.
 */
public final class DriverHooks {
  private static volatile @Nullable FenceHandler installed;

  private DriverHooks() {}

  /** Fences the connections of this JVM. */
  public interface FenceHandler {
    /** The stream from which the driver reads instead of the socket's own. */
    InputStream input(Socket socket) throws IOException;

    /** The stream to which the driver writes instead of the socket's own. */
    OutputStream output(Socket socket) throws IOException;

    /** Closes a connection whose streams were not obtained here, and throws. */
    void requireFenced(Socket socket) throws IOException;

    /** The exception that the driver throws instead of this failure, or the failure itself. */
    Throwable translate(Exception failure, @Nullable String sqlState);
  }

  /** Installs the fence handler, once, before any driver is woven. */
  public static void install(FenceHandler handler) {
    installed = handler;
  }

  /** Called by woven drivers in place of {@link Socket#getInputStream}. */
  public static InputStream input(Socket socket) throws IOException {
    return handler().input(socket);
  }

  /** Called by woven drivers in place of {@link Socket#getOutputStream}. */
  public static OutputStream output(Socket socket) throws IOException {
    return handler().output(socket);
  }

  /**
   * Called before each message by drivers that were woven only after they had been loaded: some of
   * their connections may be older than the weaving.
   */
  public static void requireFenced(Socket socket) throws IOException {
    handler().requireFenced(socket);
  }

  /** Called by woven drivers for each SQLException that leaves them. */
  public static Throwable translate(Exception failure, @Nullable String sqlState) {
    FenceHandler handler = installed;
    return handler == null ? failure : handler.translate(failure, sqlState);
  }

  private static FenceHandler handler() throws IOException {
    FenceHandler handler = installed;
    if (handler == null) {
      throw new IOException(
          "No connection to the database: its fence is not installed in this JVM.");
    }
    return handler;
  }
}
