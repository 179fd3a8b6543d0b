package io.portcullis.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * What a woven database driver calls: it takes the streams of its sockets from here, so that a
 * fence can follow what is said on the line, and lets its exceptions pass by here as they leave it.
 *
 * <p>A driver is woven only where there are fences; a call before {@link #install} is a mistake and
 * leads nowhere.
 */
public final class DriverHooks {
  private static volatile @Nullable FenceHandler fencing;

  private DriverHooks() {}

  /** Whoever keeps the fences of this JVM. */
  public interface FenceHandler {
    /** What the driver is to read from the socket. */
    InputStream input(Socket socket) throws IOException;

    /** Where the driver is to write what it sends by the socket. */
    OutputStream output(Socket socket) throws IOException;

    /** Ends a line whose streams were taken from elsewhere, and throws. */
    void requireFenced(Socket socket) throws IOException;

    /**
     * What the caller of the driver is to get instead of this failure; the failure itself, else.
     */
    Throwable translate(Exception failure, @Nullable String sqlState);
  }

  /** Names who keeps the fences, once, before any driver is woven. */
  public static void install(FenceHandler keeper) {
    fencing = keeper;
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
   * their lines may be older than that.
   */
  public static void requireFenced(Socket socket) throws IOException {
    handler().requireFenced(socket);
  }

  /** Called by woven drivers for each SQLException that leaves them. */
  public static Throwable translate(Exception failure, @Nullable String sqlState) {
    FenceHandler keeper = fencing;
    return keeper == null ? failure : keeper.translate(failure, sqlState);
  }

  private static FenceHandler handler() throws IOException {
    FenceHandler keeper = fencing;
    if (keeper == null) {
      throw new IOException("No line to the database: its fence is not installed in this JVM.");
    }
    return keeper;
  }
}
