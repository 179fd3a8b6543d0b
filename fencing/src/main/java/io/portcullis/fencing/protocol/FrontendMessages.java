package io.portcullis.fencing.protocol;

import java.io.IOException;

/** Cuts what the driver sends into messages, and hands them to whoever follows the session. */
final class FrontendMessages {
  private static final int HEADER = 5;
  private static final int LENGTH_AT = 1;

  /** As long as most drivers' two names are together. */
  private static final int NAME_CHUNK_BYTES = 24;

  private final ConnectionState connection;
  private final ServerChannel channel;
  private final StartupHandler startupHandler;
  private final FrontendSession session;

  private final ByteBuilder held = new ByteBuilder();
  private int wanted;

  /** Of a message whose beginning was held and judged: how much is still to come. */
  private int streaming;

  private boolean dropsStream;

  FrontendMessages(ConnectionState dialogue, ServerChannel line, StartupHandler entrance) {
    this.connection = dialogue;
    this.channel = line;
    this.startupHandler = entrance;
    this.session = new FrontendSession(dialogue, line);
  }

  /** Takes what the driver sends, in pieces of any size. */
  void take(byte[] bytes, int from, int count) throws IOException {
    connection.fastPath.fallBack();
    if (connection.fastPath.begin(bytes, from, from + count)) {
      channel.send(bytes, from, count);
    } else {
      follow(bytes, from, from + count);
      connection.fastPath.followed(wanted == 0 && streaming == 0 && !session.isDropping());
    }
  }

  private void follow(byte[] bytes, int from, int end) throws IOException {
    int at = from;
    while (at < end) {
      if (connection.phase == ConnectionState.Phase.UNFENCED) {
        channel.send(bytes, at, end - at);
        return;
      }
      if (streaming > 0) {
        int some = Math.min(streaming, end - at);
        if (!dropsStream) {
          channel.send(bytes, at, some);
        }
        streaming -= some;
        at += some;
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

  /** Nothing more follows for now: what was kept back is sent. */
  void flush() throws IOException {
    if (!connection.fastPath.isUnderWay()) {
      session.flush();
    }
  }

  /** How long the message is that begins here, if it can be taken where it lies; else 0. */
  private int wholeMessage(byte[] bytes, int at, int end) throws ProtocolViolationException {
    if (connection.phase != ConnectionState.Phase.OPEN
        || wanted > 0
        || end - at < HEADER
        || isStreamed((char) bytes[at])) {
      return 0;
    }
    int total = total(bytes, at);
    return total <= end - at ? total : 0;
  }

  private int hold(byte[] bytes, int at, int end) throws IOException {
    if (wanted == 0) {
      wanted = connection.phase == ConnectionState.Phase.STARTUP ? Integer.BYTES : HEADER;
    }
    int some = Math.min(wanted - held.length(), end - at);
    held.add(bytes, at, some);
    if (held.length() == wanted) {
      if (connection.phase == ConnectionState.Phase.STARTUP) {
        readStartup();
      } else {
        message();
      }
    }
    return some;
  }

  private void readStartup() throws IOException {
    if (held.length() == Integer.BYTES) {
      wanted = StartupMessage.length(held.array());
      return;
    }
    startupHandler.handleStartup(StartupMessage.read(held.array(), held.length()));
    channel.send(held.array(), 0, held.length());
    done();
  }

  private void message() throws IOException {
    byte[] array = held.array();
    char type = (char) array[0];
    int total = total(array, 0);
    if (held.length() == HEADER && isStreamed(type)) {
      session.stream(type);
      pass(type, total);
    } else if (type == 'B' && held.length() < total && !namesAreComplete(array)) {
      // The two names come first; what they are bound to may be huge.
      wanted = Math.min(total, held.length() + NAME_CHUNK_BYTES);
    } else if (type != 'B' && held.length() < total) {
      wanted = total;
    } else {
      dropsStream = !session.message(array, 0, held.length());
      streaming = total - held.length();
      done();
    }
  }

  private void pass(char type, int total) throws IOException {
    dropsStream = type == 'F' ? !session.function() : false;
    if (!dropsStream) {
      channel.send(held.array(), 0, HEADER);
    }
    streaming = total - HEADER;
    done();
  }

  private void done() {
    held.clear();
    wanted = 0;
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
    for (int at = HEADER; at < held.length(); at++) {
      if (array[at] == 0) {
        zeros++;
      }
    }
    return zeros >= 2;
  }

  /** Finds out where a line leads, by how the driver greets the server. */
  interface StartupHandler {
    /** Tells the dialogue how the line goes on. */
    void handleStartup(StartupMessage greeting) throws IOException;
  }
}
