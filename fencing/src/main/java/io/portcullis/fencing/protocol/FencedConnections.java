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

/** The fences of this JVM: gives woven drivers their lines, and turns refusals into ours. */
public final class FencedConnections implements DriverHooks.FenceHandler {
  private final FencedDatabaseLookup finder;
  private static final ThreadLocal<@Nullable RefusedWrite> REFUSED = new ThreadLocal<>();
  private final RefusalListener refusals =
      (site, epoch, state) -> REFUSED.set(new RefusedWrite(site, epoch, state));

  /**
   * The lines by their sockets, as long as somebody holds one of a line's streams. A line holds its
   * socket, so nothing in here may hold the line.
   */
  private final Map<Socket, WeakReference<FencedConnection>> connectionsBySocket =
      new WeakHashMap<>();

  /** How many connections to each database were opened since the start. */
  private final Map<FencedDatabase, Long> opened = new WeakHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** What a server has refused to the thread, until it leaves the driver as an exception. */
  private record RefusedWrite(FencedDatabase site, long epoch, String state) {}

  /** With whoever knows the fenced databases. */
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
          "This connection to a database is older than the fence in its driver, and was cut. One"
              + " that is made now is fenced.");
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

  /** How many lines lead to this database now. */
  public int connections(FencedDatabase site) {
    int count = 0;
    lock.lock();
    try {
      for (WeakReference<FencedConnection> known : connectionsBySocket.values()) {
        FencedConnection wire = known.get();
        count += wire != null && wire.isOpenTo(site) ? 1 : 0;
      }
    } finally {
      lock.unlock();
    }
    return count;
  }

  /** How many connections to this database were opened since the start, including closed ones. */
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
      FencedConnection wire = known == null ? null : known.get();
      if (wire == null) {
        wire = new FencedConnection(socket, this::find, refusals);
        connectionsBySocket.put(socket, new WeakReference<>(wire));
      }
      return wire;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Throwable translate(Exception failure, @Nullable String sqlState) {
    RefusedWrite noted = REFUSED.get();
    if (noted == null) {
      return failure;
    }
    REFUSED.remove();
    if (!noted.state().equals(sqlState)) {
      return failure;
    }
    RuntimeException refusal = noted.site().refusal(noted.epoch());
    refusal.addSuppressed(failure);
    return refusal;
  }

  /** Is told, on the thread that reads them, of the server's refusals. */
  interface RefusalListener {
    /** The server refused a write under this epoch, by this SQLSTATE. */
    void refused(FencedDatabase site, long epoch, String state);
  }
}
