package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.fencing.protocol.FrontendSession.ServerChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection without a socket, on which a test plays driver and server. */
final class ProtocolScript implements ServerChannel {
  private static final String CHECKING =
      "SELECT fences.fence_check_2('orders:writer'::pg_catalog.text, '";
  private static final Pattern PARSED =
      Pattern.compile("P (portcullis_\\w{32})\\|" + Pattern.quote(CHECKING) + "(\\d+)'.*, (.).*");

  static final String INSERT = "P |INSERT INTO t VALUES (1)";

  /** The server's response to an epoch check. */
  static final List<String> CHECKED = List.of("2", "D", "C SELECT 1");

  /** The server's response to the preparation of a check. */
  static final List<String> PREPARED = List.of("3", "1", "3", "1");

  final FencedDatabaseStub site = new FencedDatabaseStub();
  final List<String> refusals = new ArrayList<>();
  final ConnectionState connection = new ConnectionState();
  private final FrontendMessages requests;
  private final ServerBuffer inbox;
  private final int piece;
  private final ByteBuilder sent = new ByteBuilder();
  private final ByteBuilder read = new ByteBuilder();
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private final Map<String, String> names = new HashMap<>();

  /** Transfers everything in pieces of this size. */
  ProtocolScript(int piece) throws IOException {
    this.piece = piece;
    requests =
        new FrontendMessages(
            connection,
            this,
            greeting -> {
              assertThat(greeting.database()).isEqualTo("app");
              connection.enter(site);
            });
    inbox =
        new ServerBuffer(
            connection,
            new BackendMessages(
                connection,
                this,
                (where, epoch, state) -> refusals.add(state + " under " + epoch)));
    take(ProtocolMessages.greeting("user", "u", "database", "app"));
    sent.clear();
    server("R", "S client_encoding|UTF8", "K", "Z I");
    read();
  }

  /** A connection after its first write, outside of a transaction. */
  static ProtocolScript afterFirstWrite(int piece) throws IOException {
    ProtocolScript script = new ProtocolScript(piece);
    script.sends(
        List.of(INSERT, "B |", "D P", "E", "S"),
        all(INSERT, prepare(7, 'f'), check(7, 'f'), "B |", "D P", "E", "S"));
    script.reads(
        all("1", PREPARED, CHECKED, "2", "n", "C INSERT 0 1", "Z I"),
        "1",
        "2",
        "n",
        "C INSERT 0 1",
        "Z I");
    return script;
  }

  /** The driver sends these messages and waits for a response. */
  ProtocolScript client(String... lines) throws IOException {
    for (String line : lines) {
      take(ProtocolMessages.client(line));
    }
    requests.flush();
    return this;
  }

  /** The driver sends these messages in one write. */
  ProtocolScript clientAtOnce(String... lines) throws IOException {
    byte[] all = together(ProtocolMessages::client, lines);
    requests.take(all, 0, all.length);
    requests.flush();
    return this;
  }

  /**
   * The server sends these messages; the driver gets all of them, or the first bytes only, by one
   * read.
   */
  void readsAtOnce(int first, List<String> server, String... expected) throws IOException {
    byte[] all = together(ProtocolMessages::server, server.toArray(String[]::new));
    receiveThere(all, 0, Math.min(first, all.length));
    receiveThere(all, Math.min(first, all.length), all.length);
    assertThat(read()).isEqualTo(Arrays.asList(expected));
  }

  /** The driver gets these bytes of the server by one read. */
  void receiveThere(byte[] bytes, int from, int to) throws IOException {
    if (inbox.isEmpty()) {
      read.add(bytes, from, inbox.followThere(bytes, from, to));
    } else {
      System.arraycopy(bytes, from, inbox.buffer(), inbox.space(), to - from);
      inbox.received(to - from);
    }
    drain();
  }

  static byte[] together(Function<String, byte[]> written, String... lines) {
    ByteBuilder all = new ByteBuilder();
    for (String line : lines) {
      all.add(written.apply(line));
    }
    return all.copy();
  }

  /** The driver has sent these bytes so far. */
  void take(byte[] bytes, int from, int to) throws IOException {
    requests.take(bytes, from, to - from);
  }

  private void take(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += piece) {
      requests.take(bytes, at, Math.min(piece, bytes.length - at));
    }
  }

  /** The server sends these messages. */
  ProtocolScript server(String... lines) throws IOException {
    for (String line : lines) {
      receive(ProtocolMessages.server(line));
    }
    return this;
  }

  /** The server sends these messages once the connection waits for it. */
  ProtocolScript willAnswer(String... lines) {
    for (String line : lines) {
      waiting.add(ProtocolMessages.server(line));
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

  /** Joins messages and lists of messages. */
  static List<String> all(Object... parts) {
    List<String> lines = new ArrayList<>();
    for (Object part : parts) {
      if (part instanceof List<?> list) {
        list.forEach(line -> lines.add((String) line));
      } else {
        lines.add((String) part);
      }
    }
    return lines;
  }

  /** The messages that prepare a check, and the BEGIN that is prepared with it. */
  static List<String> prepare(long epoch, char maybe) {
    return List.of(
        "C S" + name(epoch, maybe),
        parse(epoch, maybe),
        "C Sportcullis_begin",
        "P portcullis_begin|BEGIN");
  }

  static String parse(long epoch, char maybe) {
    boolean perhaps = maybe == 't';
    return "P %s|%s%d'::pg_catalog.int8, 'node-a'::pg_catalog.text, %s::pg_catalog.bool)"
        .formatted(name(epoch, maybe), CHECKING, epoch, perhaps);
  }

  /** The check's messages if the driver is about to bind the unnamed portal. */
  static List<String> check(long epoch, char maybe) {
    return List.of("B |" + name(epoch, maybe), "E");
  }

  /** The check's messages if the unnamed portal may still be needed. */
  static List<String> checkApart(long epoch, char maybe) {
    return List.of(
        "B portcullis_check|" + name(epoch, maybe), "E portcullis_check", "C Pportcullis_check");
  }

  /** A readable name for a check instead of its hashed one. */
  static String name(long epoch, char maybe) {
    return "check of " + epoch + maybe;
  }

  /** The messages sent to the server since the last call. */
  List<String> sent() {
    List<String> lines = ProtocolMessages.read(sent, true);
    for (String line : lines) {
      Matcher parsed = PARSED.matcher(line);
      if (parsed.matches()) {
        String known = name(Long.parseLong(parsed.group(2)), parsed.group(3).charAt(0));
        assertThat(names.put(parsed.group(1), known)).isIn(null, known);
      }
    }
    return lines.stream().map(this::readable).toList();
  }

  private String readable(String line) {
    String result = line;
    for (Map.Entry<String, String> each : names.entrySet()) {
      result = result.replace(each.getKey(), each.getValue());
    }
    return result;
  }

  /** The messages for the driver since the last call. */
  List<String> read() throws IOException {
    drain();
    return ProtocolMessages.read(read, false);
  }

  /** The driver sends these messages, and exactly the expected ones reach the server. */
  void sends(List<String> client, List<String> expected) throws IOException {
    client(client.toArray(String[]::new));
    assertThat(sent()).isEqualTo(expected);
  }

  /** The server sends these messages, and exactly the expected ones reach the driver. */
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
