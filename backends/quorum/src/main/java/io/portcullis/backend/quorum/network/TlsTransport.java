package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Transport with mutual TLS.
 *
 * <p>Every peer with a certificate of the cluster's own CA is accepted as a member. Names in
 * certificates are not compared with hosts, because members move between addresses and the CA signs
 * certificates only for members. Neither TLS nor a shared secret prevents a member from
 * impersonating another member.
 *
 * <p>Its three buffers have the size of a TLS record, about 50 KB in total, even before the peer is
 * authenticated; {@link NetworkLimits#MAX_UNAUTHENTICATED} limits the number of such peers. The
 * engine's delegated tasks run on the calling thread: a few milliseconds per handshake.
 */
final class TlsTransport implements ByteTransport {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ByteBuffer received;
  private final ByteBuffer outgoing;
  private final ByteBuffer decrypted;
  private boolean shut;

  TlsTransport(SocketChannel channel, SSLContext context, boolean dialled) throws SSLException {
    this.channel = channel;
    engine = context.createSSLEngine();
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setNeedClientAuth(!dialled);
    engine.setUseClientMode(dialled);
    engine.setSSLParameters(parameters);
    engine.beginHandshake();
    received = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    outgoing = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    decrypted = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (shut) {
      return discard();
    }
    if (decrypted.position() == 0) {
      boolean ended = channel.read(received) < 0;
      advance();
      if (decrypted.position() == 0) {
        return ended || engine.isInboundDone() ? -1 : 0;
      }
    }
    decrypted.flip();
    int length = Math.min(decrypted.remaining(), into.remaining());
    into.put(into.position(), decrypted, decrypted.position(), length);
    into.position(into.position() + length);
    decrypted.position(decrypted.position() + length);
    decrypted.compact();
    return length;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    drain();
    if (!isReady()) {
      advance();
    }
    boolean more = true;
    while (more && from.hasRemaining() && isReady() && outgoing.position() == 0) {
      more = wrap(from);
    }
  }

  @Override
  public boolean isReady() {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean awaitsRoom(boolean left) {
    return outgoing.position() > 0 || (left && isReady());
  }

  @Override
  public void shutOutput() throws IOException {
    shut = true;
    engine.closeOutbound();
    wrap(EMPTY.duplicate());
    channel.shutdownOutput();
  }

  /**
   * After this side has closed its output, incoming bytes are read but not decrypted: if they
   * stayed unread, closing the socket would send a reset.
   */
  private int discard() throws IOException {
    int length = channel.read(received.clear());
    received.clear();
    return length;
  }

  /** Runs the TLS engine until it needs input from the peer, the system or the reader. */
  private void advance() throws IOException {
    try {
      boolean more = true;
      while (more) {
        more =
            switch (engine.getHandshakeStatus()) {
              case NEED_TASK -> runTasks();
              case NEED_WRAP -> wrap(EMPTY.duplicate());
              default -> unwrap();
            };
      }
    } catch (SSLException e) {
      if (!engine.isOutboundDone()) {
        wrap(EMPTY.duplicate()); // Sends the TLS alert with the reason.
      }
      throw e;
    }
  }

  private boolean runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    return true;
  }

  private boolean unwrap() throws SSLException {
    received.flip();
    SSLEngineResult result;
    try {
      result = engine.unwrap(received, decrypted);
    } finally {
      received.compact();
    }
    boolean full = result.getStatus() == Status.BUFFER_UNDERFLOW && !received.hasRemaining();
    boolean tooLong = result.getStatus() == Status.BUFFER_OVERFLOW && decrypted.position() == 0;
    if (full || tooLong) {
      throw new SSLException("a TLS record exceeds the maximum length");
    }
    return result.getStatus() == Status.OK
        && (result.bytesConsumed() > 0
            || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK
            || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
  }

  private boolean wrap(ByteBuffer from) throws IOException {
    SSLEngineResult result = engine.wrap(from, outgoing);
    drain();
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  private void drain() throws IOException {
    outgoing.flip();
    try {
      channel.write(outgoing);
    } finally {
      outgoing.compact();
    }
  }
}
