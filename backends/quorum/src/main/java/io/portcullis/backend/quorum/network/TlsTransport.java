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
 * Bytes under mutual TLS.
 *
 * <p>Whoever has a certificate of the cluster's own CA is a member; names in certificates are not
 * compared with hosts, since members move between addresses and the CA signs for nobody else. A
 * member that pretends to be another one is stopped neither by this nor by a shared secret.
 *
 * <p>Its three buffers are as long as a TLS record, some 50 KB in all, before the peer is known;
 * {@link NetworkLimits#MAX_UNAUTHENTICATED} bounds how many such peers there are. The engine's
 * longer computations run here too: a few milliseconds once a handshake.
 */
final class TlsTransport implements ByteTransport {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ByteBuffer arrived;
  private final ByteBuffer leaving;
  private final ByteBuffer plain;
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
    arrived = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    leaving = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (shut) {
      return discard();
    }
    if (plain.position() == 0) {
      boolean ended = channel.read(arrived) < 0;
      advance();
      if (plain.position() == 0) {
        return ended || engine.isInboundDone() ? -1 : 0;
      }
    }
    plain.flip();
    int length = Math.min(plain.remaining(), into.remaining());
    into.put(into.position(), plain, plain.position(), length);
    into.position(into.position() + length);
    plain.position(plain.position() + length);
    plain.compact();
    return length;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    drain();
    if (!isReady()) {
      advance();
    }
    boolean more = true;
    while (more && from.hasRemaining() && isReady() && leaving.position() == 0) {
      more = wrap(from);
    }
  }

  @Override
  public boolean isReady() {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean awaitsRoom(boolean left) {
    return leaving.position() > 0 || (left && isReady());
  }

  @Override
  public void shutOutput() throws IOException {
    shut = true;
    engine.closeOutbound();
    wrap(NOTHING.duplicate());
    channel.shutdownOutput();
  }

  /** After our last word nothing is deciphered, but all is read, so that no reset goes out. */
  private int discard() throws IOException {
    int length = channel.read(arrived.clear());
    arrived.clear();
    return length;
  }

  /** Goes on until the other side, the system or the reader has to do something. */
  private void advance() throws IOException {
    try {
      boolean more = true;
      while (more) {
        more =
            switch (engine.getHandshakeStatus()) {
              case NEED_TASK -> runTasks();
              case NEED_WRAP -> wrap(NOTHING.duplicate());
              default -> unwrap();
            };
      }
    } catch (SSLException e) {
      if (!engine.isOutboundDone()) {
        wrap(NOTHING.duplicate()); // So that the other side learns why.
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
    arrived.flip();
    SSLEngineResult result;
    try {
      result = engine.unwrap(arrived, plain);
    } finally {
      arrived.compact();
    }
    boolean full = result.getStatus() == Status.BUFFER_UNDERFLOW && !arrived.hasRemaining();
    boolean tooLong = result.getStatus() == Status.BUFFER_OVERFLOW && plain.position() == 0;
    if (full || tooLong) {
      throw new SSLException("a record longer than any may be");
    }
    return result.getStatus() == Status.OK
        && (result.bytesConsumed() > 0
            || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK
            || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
  }

  private boolean wrap(ByteBuffer from) throws IOException {
    SSLEngineResult result = engine.wrap(from, leaving);
    drain();
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  private void drain() throws IOException {
    leaving.flip();
    try {
      channel.write(leaving);
    } finally {
      leaving.compact();
    }
  }
}
