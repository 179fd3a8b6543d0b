package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.FencedDatabaseLookup;
import io.portcullis.gate.DriverHooks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Creates the fenced connections of woven drivers and translates the server's refusals. */
public final class FencedConnections implements DriverHooks.FenceHandler {
  private final FencedDatabaseLookup finder;
  private static final ThreadLocal<@Nullable RefusedWrite> REFUSED = new ThreadLocal<>();
  private final RefusalListener refusals =
      (site, epoch, state) -> REFUSED.set(new RefusedWrite(site, epoch, state));

  /**
   * Connections by socket, while one of the connection's streams is reachable. A connection refers
   * to its socket, so the map must hold connections weakly too.
   */
  private final Map<Socket, WeakReference<FencedConnection>> connectionsBySocket =
      new WeakHashMap<>();

  /** Number of connections to each database that were opened since the start. */
  private final Map<FencedDatabase, Long> opened = new WeakHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Last refusal that the thread received, until it leaves the driver as an exception. */
  private record RefusedWrite(FencedDatabase site, long epoch, String state) {}

  public FencedConnections(FencedDatabaseLookup finder) {
    this.finder = finder;
  }

  @Override
  public InputStream input(Socket socket) throws IOException {
    return connection(socket).input();
  }

  @Override
  public OutputStream output(Socket socket) throws IOException {
    return connection(socket).output();
  }

  @Override
  public void requireFenced(Socket socket) throws IOException {
    if (!isFollowed(socket)) {
      socket.close();
      throw new IOException(
          "This connection to a database is older than the fence in its driver, and was closed."
              + " Open a new connection, which is fenced.");
    }
  }

  private boolean isFollowed(Socket socket) {
    lock.lock();
    try {
      WeakReference<FencedConnection> known = connectionsBySocket.get(socket);
      return known != null && known.get() != null;
    } finally {
      lock.unlock();
    }
  }

  /** Number of open connections to this database. */
  public int connections(FencedDatabase site) {
    int count = 0;
    lock.lock();
    try {
      for (WeakReference<FencedConnection> known : connectionsBySocket.values()) {
        FencedConnection connection = known.get();
        count += connection != null && connection.isOpenTo(site) ? 1 : 0;
      }
    } finally {
      lock.unlock();
    }
    return count;
  }

  /** Number of connections to this database opened since the start, including closed ones. */
  public long opened(FencedDatabase site) {
    lock.lock();
    try {
      return opened.getOrDefault(site, 0L);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable FencedDatabase find(InetSocketAddress server, String database) {
    FencedDatabase site = finder.find(server, database);
    if (site != null) {
      lock.lock();
      try {
        opened.merge(site, 1L, Long::sum);
      } finally {
        lock.unlock();
      }
    }
    return site;
  }

  private FencedConnection connection(Socket socket) throws IOException {
    lock.lock();
    try {
      WeakReference<FencedConnection> known = connectionsBySocket.get(socket);
      FencedConnection connection = known == null ? null : known.get();
      if (connection == null) {
        connection = new FencedConnection(socket, this::find, refusals);
        connectionsBySocket.put(socket, new WeakReference<>(connection));
      }
      return connection;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Throwable translate(Exception failure, @Nullable String sqlState) {
    RefusedWrite refused = REFUSED.get();
    if (refused == null) {
      return failure;
    }
    REFUSED.remove();
    if (!refused.state().equals(sqlState)) {
      return failure;
    }
    RuntimeException refusal = refused.site().refusal(refused.epoch());
    refusal.addSuppressed(failure);
    return refusal;
  }

  /** Receives the server's refusals, on the thread that reads them. */
  interface RefusalListener {
    /** Called when the server refused a write under this epoch with this SQLSTATE. */
    void refused(FencedDatabase site, long epoch, String state);
  }
}
