package io.portcullis.backend.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that speaks RESP and answers scripts and passwords as a test prescribes. */
final class HostileRedis implements AutoCloseable {
  /** Response of the script if another node leads. */
  static final String HELD = reply("held");

  /** Response of the script if the requesting node leads. */
  static final String GRANTED = reply("granted");

  /** Response to a subscription. */
  static final String SUBSCRIBED = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";

  /** A release, as a message on the channel. */
  static final String MESSAGE = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$5\r\nother\r\n";

  /** Writes a response, with any delay. */
  interface ReplyBehavior {
    void answer(OutputStream to) throws IOException;
  }

  private final ServerSocket socket;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
  private final List<Integer> scripts = new CopyOnWriteArrayList<>();
  private final AtomicInteger subscriptions = new AtomicInteger();
  private volatile ReplyBehavior manner = saying(HELD);
  private volatile ReplyBehavior subscriptionManner = saying(SUBSCRIBED);
  private volatile boolean closing;

  HostileRedis() throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    background(this::accept);
  }

  private static String reply(String verdict) {
    return reply(verdict, "v", 1000, 0);
  }

  /** Response of the script if another node leads, from a server with this clock. */
  static String held(String version, long remainingMillis, long clockMillis) {
    return reply("held", version, remainingMillis, clockMillis);
  }

  private static String reply(
      String verdict, String version, long remainingMillis, long clockMillis) {
    String left = Long.toString(remainingMillis);
    String clock = Long.toString(clockMillis);
    List<String> parts =
        List.of(
            verdict, "life", "other", "7", "1000", left, "0", "", version, "1", clock, "9000", "0");
    StringBuilder reply = new StringBuilder("*" + parts.size() + "\r\n");
    for (String part : parts) {
      reply.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
    }
    return reply.toString();
  }

  static ReplyBehavior saying(String text) {
    return to -> to.write(text.getBytes(UTF_8));
  }

  /** Writes the first text once and then the other until the client closes the connection. */
  static ReplyBehavior endlessly(String first, String then) {
    byte[] repeated = then.repeat(100).getBytes(UTF_8);
    return to -> {
      to.write(first.getBytes(UTF_8));
      while (true) {
        to.write(repeated);
      }
    };
  }

  void answers(ReplyBehavior how) {
    manner = how;
  }

  void answersSubscriptions(ReplyBehavior how) {
    subscriptionManner = how;
  }

  /** Closes all connections, and each further one as soon as it is open. */
  void closeEachConnection() throws IOException {
    closing = true;
    for (Socket connection : connections) {
      connection.close();
    }
  }

  /** Number of connections so far. */
  int connections() {
    return connections.size();
  }

  /** Number of subscriptions so far. */
  int subscriptions() {
    return subscriptions.get();
  }

  int port() {
    return socket.getLocalPort();
  }

  /** The connection number of each script call. */
  List<Integer> scripts() {
    return scripts;
  }

  /** The connection number of the last script call. */
  int lastUsed() {
    return scripts.get(scripts.size() - 1);
  }

  boolean hasEnded(int connection) {
    return ended.contains(connection);
  }

  Socket connection(int number) {
    return connections.get(number);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        connections.add(client);
        int number = connections.size() - 1;
        if (closing) {
          client.close();
          continue;
        }
        background(() -> serve(client, number));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private void serve(Socket client, int number) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      while (true) {
        answer(command(in), client.getOutputStream(), number);
      }
    } catch (IOException e) {
      ended.add(number);
    }
  }

  private void answer(String command, OutputStream to, int number) throws IOException {
    switch (command) {
      case "EVALSHA" -> {
        scripts.add(number);
        manner.answer(to);
      }
      case "AUTH" -> manner.answer(to);
      case "INFO" -> saying("$0\r\n\r\n").answer(to);
      case "SUBSCRIBE" -> {
        subscriptions.incrementAndGet();
        subscriptionManner.answer(to);
      }
      default -> saying("-ERR unknown command\r\n").answer(to);
    }
  }

  /** The first word of a command. */
  private static String command(DataInputStream in) throws IOException {
    int words = number(in);
    String first = word(in);
    for (int i = 1; i < words; i++) {
      word(in);
    }
    return first;
  }

  private static String word(DataInputStream in) throws IOException {
    byte[] bytes = new byte[number(in)];
    in.readFully(bytes);
    in.readFully(new byte[2]);
    return new String(bytes, UTF_8);
  }

  /** The number in a line such as *3 or $5. */
  private static int number(DataInputStream in) throws IOException {
    in.readByte();
    StringBuilder digits = new StringBuilder();
    for (int c = in.readByte(); c != '\r'; c = in.readByte()) {
      digits.append((char) c);
    }
    in.readByte();
    return Integer.parseInt(digits.toString());
  }

  private static void background(Runnable task) {
    Thread thread = new Thread(task, "strange-redis");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
