package io.portcullis.fencing.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A line without a socket, on which a test speaks for both sides. */
final class Script implements Line {
  /** With the beginning of its text's digest, so that no other check has the same name. */
  private static final String CHECK = "portcullis_check_kMIi_NefL15Zq8xs";

  static final String BIND = "B portcullis_check|" + CHECK + "|";
  static final List<String> PREPARE =
      List.of(
          "C S" + CHECK,
          "P " + CHECK + "|SELECT fences.fence_check_1('orders:writer', $1, 'node-a', $2)");
  static final List<String> CHECKED = List.of("2", "D", "C SELECT 1", "3");

  final TestSite site = new TestSite();
  final List<String> refusals = new ArrayList<>();
  final Dialogue dialogue = new Dialogue();
  private final Requests requests;
  private final Inbox inbox;
  private final int piece;
  private final Bytes sent = new Bytes();
  private final Bytes read = new Bytes();
  private final Deque<byte[]> waiting = new ArrayDeque<>();

  /** Everything goes in pieces of this size. */
  Script(int piece) throws IOException {
    this.piece = piece;
    requests =
        new Requests(
            dialogue,
            this,
            greeting -> {
              assertThat(greeting.database()).isEqualTo("app");
              dialogue.enter(site);
            });
    inbox =
        new Inbox(
            dialogue,
            new Replies(
                dialogue, this, (where, epoch, state) -> refusals.add(state + " under " + epoch)));
    take(Messages.greeting("user", "u", "database", "app"));
    sent.clear();
    server("R", "S client_encoding|UTF8", "K", "Z I");
    read();
  }

  /** The driver says this. */
  Script client(String... lines) throws IOException {
    for (String line : lines) {
      take(Messages.client(line));
    }
    return this;
  }

  private void take(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += piece) {
      requests.take(bytes, at, Math.min(piece, bytes.length - at));
    }
  }

  /** The server says this. */
  Script server(String... lines) throws IOException {
    for (String line : lines) {
      receive(Messages.server(line));
    }
    return this;
  }

  /** The server will say this once it is waited for. */
  Script willAnswer(String... lines) {
    for (String line : lines) {
      waiting.add(Messages.server(line));
    }
    return this;
  }

  private void receive(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += piece) {
      int count = Math.min(piece, bytes.length - at);
      System.arraycopy(bytes, at, inbox.buffer(), inbox.space(), count);
      inbox.received(count);
      drain();
    }
  }

  private void drain() throws IOException {
    byte[] some = new byte[3];
    while (inbox.ready() > 0) {
      read.add(some, 0, inbox.take(some, 0, some.length));
    }
  }

  /** What was sent to the server since last asked. */
  List<String> sent() {
    return Messages.read(sent, true);
  }

  /** What the driver could read since last asked. */
  List<String> read() throws IOException {
    drain();
    return Messages.read(read, false);
  }

  /** The driver says this, and the server is sent exactly that. */
  void sends(List<String> client, List<String> expected) throws IOException {
    client(client.toArray(String[]::new));
    assertThat(sent()).isEqualTo(expected);
  }

  /** The server says this, and the driver reads exactly that. */
  void reads(List<String> server, String... expected) throws IOException {
    server(server.toArray(String[]::new));
    assertThat(read()).isEqualTo(Arrays.asList(expected));
  }

  @Override
  public void send(byte[] bytes, int from, int count) {
    sent.add(bytes, from, count);
  }

  @Override
  public void flush() {
    // Everything is sent at once.
  }

  @Override
  public void await(BooleanSupplier done) throws IOException {
    while (!done.getAsBoolean()) {
      byte[] next = waiting.poll();
      if (next == null) {
        throw new IOException("nothing more is answered");
      }
      System.arraycopy(next, 0, inbox.buffer(), inbox.space(), next.length);
      inbox.received(next.length);
      inbox.followAndStore();
    }
  }
}
