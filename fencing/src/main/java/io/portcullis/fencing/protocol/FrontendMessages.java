package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.FrontendSession.ServerChannel;
import java.io.IOException;

/** Splits the driver's byte stream into messages and passes them to the session. */
final class FrontendMessages {
  private static final int HEADER = 5;
  private static final int LENGTH_AT = 1;

  /** Enough for the portal and statement names of most drivers together. */
  private static final int NAME_CHUNK_BYTES = 24;

  private final ConnectionState connection;
  private final ServerChannel channel;
  private final StartupHandler startupHandler;
  private final FrontendSession session;

  private final ByteBuilder partial = new ByteBuilder();
  private int partialTarget;

  /** Remaining bytes of a message whose beginning was buffered and processed. */
  private int streamRemaining;

  private boolean dropsStream;

  FrontendMessages(
      ConnectionState connection, ServerChannel channel, StartupHandler startupHandler) {
    this.connection = connection;
    this.channel = channel;
    this.startupHandler = startupHandler;
    this.session = new FrontendSession(connection, channel);
  }

  /** Processes bytes that the driver sends, in chunks of any size. */
  void take(byte[] bytes, int from, int count) throws IOException {
    connection.fastPath.fallBack();
    if (connection.fastPath.begin(bytes, from, from + count)) {
      channel.send(bytes, from, count);
    } else {
      follow(bytes, from, from + count);
      connection.fastPath.followed(
          partialTarget == 0 && streamRemaining == 0 && !session.isDropping());
    }
  }

  private void follow(byte[] bytes, int from, int end) throws IOException {
    int at = from;
    while (at < end) {
      if (connection.phase == ConnectionState.Phase.UNFENCED) {
        channel.send(bytes, at, end - at);
        return;
      }
      if (streamRemaining > 0) {
        int count = Math.min(streamRemaining, end - at);
        if (!dropsStream) {
          channel.send(bytes, at, count);
        }
        streamRemaining -= count;
        at += count;
      } else {
        int whole = wholeMessage(bytes, at, end);
        if (whole > 0) {
          session.message(bytes, at, at + whole);
          at += whole;
        } else {
          at += hold(bytes, at, end);
        }
      }
    }
  }

  /** Called when the driver flushes: sends anything that was held back. */
  void flush() throws IOException {
    if (!connection.fastPath.isUnderWay()) {
      session.flush();
    }
  }

  /** Length of the message that begins here if it can be processed in place; otherwise 0. */
  private int wholeMessage(byte[] bytes, int at, int end) throws ProtocolViolationException {
    if (connection.phase != ConnectionState.Phase.OPEN
        || partialTarget > 0
        || end - at < HEADER
        || isStreamed((char) bytes[at])) {
      return 0;
    }
    int total = total(bytes, at);
    return total <= end - at ? total : 0;
  }

  private int hold(byte[] bytes, int at, int end) throws IOException {
    if (partialTarget == 0) {
      partialTarget = connection.phase == ConnectionState.Phase.STARTUP ? Integer.BYTES : HEADER;
    }
    int count = Math.min(partialTarget - partial.length(), end - at);
    partial.add(bytes, at, count);
    if (partial.length() == partialTarget) {
      if (connection.phase == ConnectionState.Phase.STARTUP) {
        readStartup();
      } else {
        message();
      }
    }
    return count;
  }

  private void readStartup() throws IOException {
    if (partial.length() == Integer.BYTES) {
      partialTarget = StartupMessage.length(partial.array());
      return;
    }
    startupHandler.handleStartup(StartupMessage.read(partial.array(), partial.length()));
    channel.send(partial.array(), 0, partial.length());
    done();
  }

  private void message() throws IOException {
    byte[] array = partial.array();
    char type = (char) array[0];
    int total = total(array, 0);
    if (partial.length() == HEADER && isStreamed(type)) {
      session.stream(type);
      pass(type, total);
    } else if (type == 'B' && partial.length() < total && !namesAreComplete(array)) {
      // The two names come first; the parameter values may be huge.
      partialTarget = Math.min(total, partial.length() + NAME_CHUNK_BYTES);
    } else if (type != 'B' && partial.length() < total) {
      partialTarget = total;
    } else {
      dropsStream = !session.message(array, 0, partial.length());
      streamRemaining = total - partial.length();
      done();
    }
  }

  private void pass(char type, int total) throws IOException {
    dropsStream = type == 'F' ? !session.function() : false;
    if (!dropsStream) {
      channel.send(partial.array(), 0, HEADER);
    }
    streamRemaining = total - HEADER;
    done();
  }

  private void done() {
    partial.clear();
    partialTarget = 0;
  }

  private static int total(byte[] bytes, int at) throws ProtocolViolationException {
    int length = ByteBuilder.intAt(bytes, at + LENGTH_AT);
    if (length < Integer.BYTES || length == Integer.MAX_VALUE) {
      throw new ProtocolViolationException("the driver sends a message of an impossible length.");
    }
    return length + 1;
  }

  private static boolean isStreamed(char type) {
    return type == 'd' || type == 'p' || type == 'F';
  }

  private boolean namesAreComplete(byte[] array) {
    int zeros = 0;
    for (int at = HEADER; at < partial.length(); at++) {
      if (array[at] == 0) {
        zeros++;
      }
    }
    return zeros >= 2;
  }

  /** Determines the target of a connection from the driver's startup message. */
  interface StartupHandler {
    /** Sets the connection's next phase. */
    void handleStartup(StartupMessage startup) throws IOException;
  }
}
