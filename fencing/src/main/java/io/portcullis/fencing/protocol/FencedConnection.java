package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.FencedDatabaseLookup;
import io.portcullis.fencing.protocol.FencedConnections.RefusalListener;
import io.portcullis.fencing.protocol.FrontendSession.ServerChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A connection to a server over one socket, whose messages are parsed in both directions. */
final class FencedConnection implements ServerChannel {
  private static final int BUFFER_BYTES = 1 << 14;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final FencedDatabaseLookup finder;
  private final ConnectionState connection = new ConnectionState();
  private final FrontendMessages requests;
  private final ServerBuffer serverBuffer;

  /** Held by the thread that reads the socket; acquired before {@link #following}, or tried. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Held while messages are parsed; never while the driver waits for the server. */
  private final ReentrantLock following = new ReentrantLock();

  private final byte[] outgoing = new byte[BUFFER_BYTES];
  private int outgoingCount;
  private volatile boolean cut;

  /** The socket must be new: no bytes were sent or received yet. */
  FencedConnection(Socket socket, FencedDatabaseLookup finder, RefusalListener refusals)
      throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.finder = finder;
    this.requests = new FrontendMessages(connection, this, this::handleStartup);
    this.serverBuffer =
        new ServerBuffer(connection, new BackendMessages(connection, this, refusals));
  }

  private void handleStartup(StartupMessage startup) {
    switch (startup.type()) {
      case TLS_REQUEST -> connection.encryptionAsked = 'S';
      case GSS_REQUEST -> connection.encryptionAsked = 'G';
      case CANCEL -> connection.phase = ConnectionState.Phase.UNFENCED;
      case SESSION -> {
        connection.replication = startup.replication();
        enter(String.valueOf(startup.database()));
      }
    }
  }

  private void enter(String database) {
    InetSocketAddress server =
        socket.getRemoteSocketAddress() instanceof InetSocketAddress address
            ? address
            : InetSocketAddress.createUnresolved("localhost", socket.getPort());
    FencedDatabase site = finder.find(server, database);
    if (site == null) {
      connection.phase = ConnectionState.Phase.UNFENCED;
    } else {
      connection.enter(site);
    }
  }

  /** Whether it is open to this database; drivers may close the socket without the streams. */
  boolean isOpenTo(FencedDatabase site) {
    return connection.siteOrNull() == site && !socket.isClosed();
  }

  InputStream input() {
    return new FencedInputStream(this);
  }

  OutputStream output() {
    return new FencedOutputStream(this);
  }

  void write(byte[] bytes, int from, int count) throws IOException {
    following.lock();
    try {
      requireWhole();
      requests.take(bytes, from, count);
    } catch (IOException | RuntimeException | Error e) {
      cut();
      throw e;
    } finally {
      following.unlock();
    }
  }

  @Override
  public void send(byte[] bytes, int from, int count) throws IOException {
    if (count > BUFFER_BYTES - outgoingCount) {
      drain();
    }
    if (count > BUFFER_BYTES) {
      out.write(bytes, from, count);
    } else {
      System.arraycopy(bytes, from, outgoing, outgoingCount, count);
      outgoingCount += count;
    }
  }

  private void drain() throws IOException {
    if (outgoingCount > 0) {
      int count = outgoingCount;
      outgoingCount = 0;
      out.write(outgoing, 0, count);
    }
  }

  @Override
  public void flush() throws IOException {
    following.lock();
    try {
      requests.flush();
      drain();
      out.flush();
    } catch (IOException | RuntimeException | Error e) {
      // It is unknown how much of it was sent.
      cut();
      throw e;
    } finally {
      following.unlock();
    }
  }

  @Override
  public void await(BooleanSupplier done) throws IOException {
    if (done.getAsBoolean()) {
      return;
    }
    if (!reading.tryLock()) {
      throw new ProtocolViolationException("two threads use it at once.");
    }
    try {
      flush();
      serverBuffer.followAndStore();
      while (!done.getAsBoolean()) {
        if (!receive()) {
          throw new ProtocolViolationException("the server has closed it.");
        }
        serverBuffer.followAndStore();
      }
    } finally {
      reading.unlock();
    }
  }

  /** False at the end of the stream. */
  private boolean receive() throws IOException {
    int at = serverBuffer.space();
    int count = in.read(serverBuffer.buffer(), at, ServerBuffer.BUFFER_BYTES - at);
    serverBuffer.received(Math.max(count, 0));
    return count >= 0;
  }

  int read(byte[] target, int offset, int count) throws IOException {
    reading.lock();
    try {
      while (true) {
        requireWhole();
        if (!serverBuffer.isEmpty() && ready() > 0) {
          return serverBuffer.take(target, offset, count);
        }
        if (isDirect(count)) {
          int some = in.read(target, offset, limitDirect(count));
          serverBuffer.passed(Math.max(some, 0));
          return some;
        }
        if (serverBuffer.isEmpty()
            && count >= ServerBuffer.MIN_DIRECT_READ_BYTES
            && connection.phase == ConnectionState.Phase.OPEN) {
          int some = in.read(target, offset, Math.min(count, ServerBuffer.BUFFER_BYTES));
          int kept = some < 0 ? -1 : followThere(target, offset, offset + some);
          if (kept != 0) {
            return kept;
          }
        } else if (!receive()) {
          return -1;
        }
      }
    } finally {
      reading.unlock();
    }
  }

  /** Whether the next bytes may be read directly into the driver's buffer. */
  private boolean isDirect(int count) {
    return connection.phase == ConnectionState.Phase.UNFENCED
        || (count >= ServerBuffer.BUFFER_BYTES
            && serverBuffer.passing() >= ServerBuffer.BUFFER_BYTES);
  }

  private int limitDirect(int count) {
    return connection.phase == ConnectionState.Phase.UNFENCED
        ? count
        : Math.min(count, serverBuffer.passing());
  }

  private int ready() throws IOException {
    following.lock();
    try {
      requireWhole();
      return serverBuffer.ready();
    } catch (IOException | RuntimeException | Error e) {
      cut();
      throw e;
    } finally {
      following.unlock();
    }
  }

  private int followThere(byte[] target, int from, int to) throws IOException {
    following.lock();
    try {
      return serverBuffer.followThere(target, from, to);
    } catch (IOException | RuntimeException | Error e) {
      cut();
      throw e;
    } finally {
      following.unlock();
    }
  }

  int available() throws IOException {
    reading.lock();
    try {
      int ready = ready();
      while (ready == 0 && in.available() > 0 && receive()) {
        ready = ready();
      }
      return ready;
    } finally {
      reading.unlock();
    }
  }

  private void requireWhole() throws IOException {
    if (cut) {
      throw new IOException("The fence has already closed the connection to the database.");
    }
  }

  /** Closes the connection, so that nothing more is sent that is not parsed. */
  private void cut() {
    cut = true;
    try {
      close();
    } catch (IOException e) {
      // The connection is unusable, and the caller throws the reason.
      cut = true;
    }
  }

  void close() throws IOException {
    socket.close();
  }

  /** The stream that the driver reads. */
  static final class FencedInputStream extends InputStream {
    private final FencedConnection connection;

    FencedInputStream(FencedConnection connection) {
      this.connection = connection;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return connection.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return count == 0 ? 0 : connection.read(target, offset, count);
    }

    @Override
    public int available() throws IOException {
      return connection.available();
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  /** The stream that the driver writes. */
  static final class FencedOutputStream extends OutputStream {
    private final FencedConnection connection;

    FencedOutputStream(FencedConnection connection) {
      this.connection = connection;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      connection.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
      connection.flush();
    }

    @Override
    public void close() throws IOException {
      connection.flush();
      connection.close();
    }
  }
}
