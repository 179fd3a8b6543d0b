package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.FencedDatabaseLookup;
import io.portcullis.fencing.protocol.FencedConnections.RefusalListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A line to a server by one socket, with what is said on it followed from both sides. */
final class FencedConnection implements ServerChannel {
  private static final int SIZE = 1 << 14;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final FencedDatabaseLookup finder;
  private final ConnectionState dialogue = new ConnectionState();
  private final FrontendMessages requests;
  private final ServerBuffer inbox;

  /** Held by whoever reads from the socket; taken before {@link #following}, or else tried. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Held while what was said is followed; never while the driver waits for the server. */
  private final ReentrantLock following = new ReentrantLock();

  private final byte[] outgoing = new byte[SIZE];
  private int outgoingCount;
  private volatile boolean cut;

  /** On a socket that nobody has spoken on yet. */
  FencedConnection(Socket socket, FencedDatabaseLookup finder, RefusalListener refusals)
      throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.finder = finder;
    this.requests = new FrontendMessages(dialogue, this, this::greet);
    this.inbox = new ServerBuffer(dialogue, new BackendMessages(dialogue, this, refusals));
  }

  private void greet(StartupMessage greeting) {
    switch (greeting.what()) {
      case TLS_REQUEST -> dialogue.encryptionAsked = 'S';
      case GSS_REQUEST -> dialogue.encryptionAsked = 'G';
      case CANCEL -> dialogue.phase = ConnectionState.Phase.UNFENCED;
      case SESSION -> {
        dialogue.replication = greeting.replication();
        enter(String.valueOf(greeting.database()));
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
      dialogue.phase = ConnectionState.Phase.UNFENCED;
    } else {
      dialogue.enter(site);
    }
  }

  /** Whether it leads to this database and was not closed; drivers may close a socket by itself. */
  boolean isOpenTo(FencedDatabase site) {
    return dialogue.siteOrNull() == site && !socket.isClosed();
  }

  /** What the driver reads. */
  InputStream input() {
    return new FencedInputStream(this);
  }

  /** Where the driver writes. */
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
    if (count > SIZE - outgoingCount) {
      drain();
    }
    if (count > SIZE) {
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
      // Nobody knows how much of it was sent.
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
      inbox.followAndStore();
      while (!done.getAsBoolean()) {
        if (!receive()) {
          throw new ProtocolViolationException("the server has closed it.");
        }
        inbox.followAndStore();
      }
    } finally {
      reading.unlock();
    }
  }

  /** False at the end. */
  private boolean receive() throws IOException {
    int at = inbox.space();
    int count = in.read(inbox.buffer(), at, ServerBuffer.SIZE - at);
    inbox.received(Math.max(count, 0));
    return count >= 0;
  }

  int read(byte[] target, int offset, int count) throws IOException {
    reading.lock();
    try {
      while (true) {
        requireWhole();
        if (!inbox.isEmpty() && ready() > 0) {
          return inbox.take(target, offset, count);
        }
        if (isDirect(count)) {
          int some = in.read(target, offset, limitDirect(count));
          inbox.passed(Math.max(some, 0));
          return some;
        }
        if (inbox.isEmpty()
            && count >= ServerBuffer.SMALL
            && dialogue.phase == ConnectionState.Phase.OPEN) {
          int some = in.read(target, offset, Math.min(count, ServerBuffer.SIZE));
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

  /** Whether what comes next may go to the driver without a stop here. */
  private boolean isDirect(int count) {
    return dialogue.phase == ConnectionState.Phase.UNFENCED
        || (count >= ServerBuffer.SIZE && inbox.passing() >= ServerBuffer.SIZE);
  }

  private int limitDirect(int count) {
    return dialogue.phase == ConnectionState.Phase.UNFENCED
        ? count
        : Math.min(count, inbox.passing());
  }

  private int ready() throws IOException {
    following.lock();
    try {
      requireWhole();
      return inbox.ready();
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
      return inbox.followThere(target, from, to);
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
      throw new IOException("The line to the database was cut before.");
    }
  }

  /** Nothing may be said any more that nobody follows. */
  private void cut() {
    cut = true;
    try {
      close();
    } catch (IOException e) {
      // It is of no use any more, and the reason is about to be thrown.
      cut = true;
    }
  }

  void close() throws IOException {
    socket.close();
  }

  /** What the driver reads of a line. */
  static final class FencedInputStream extends InputStream {
    private final FencedConnection wire;

    FencedInputStream(FencedConnection wire) {
      this.wire = wire;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return wire.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return count == 0 ? 0 : wire.read(target, offset, count);
    }

    @Override
    public int available() throws IOException {
      return wire.available();
    }

    @Override
    public void close() throws IOException {
      wire.close();
    }
  }

  /** Where the driver writes to a line. */
  static final class FencedOutputStream extends OutputStream {
    private final FencedConnection wire;

    FencedOutputStream(FencedConnection wire) {
      this.wire = wire;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      wire.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
      wire.flush();
    }

    @Override
    public void close() throws IOException {
      wire.flush();
      wire.close();
    }
  }
}
