package io.portcullis.servers;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * A connection pooler that behaves like PgBouncer with {@code pool_mode = transaction}: clients
 * keep their connections, and each transaction gets a backend, the most recently returned one
 * first. Implements just enough of the protocol for a server that authenticates no one.
 */
public final class TransactionPooler implements Closeable {
  private static final int PROTOCOL_3 = 196_608;

  private final ServerSocket listener;
  private final PostgresServer server;
  private final String database;
  private final LinkedBlockingDeque<PooledBackend> idle = new LinkedBlockingDeque<>();
  private final List<Closeable> open = new ArrayList<>();

  private TransactionPooler(ServerSocket listener, PostgresServer server, String database) {
    this.listener = listener;
    this.server = server;
    this.database = database;
  }

  /** Starts a pooler with this many backends, all of one database. */
  public static TransactionPooler before(PostgresServer server, String database, int backends) {
    try {
      TransactionPooler pooler =
          new TransactionPooler(
              new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server, database);
      for (int i = 0; i < backends; i++) {
        pooler.idle.add(pooler.keep(pooler.dial()));
      }
      inBackground(pooler::accept);
      return pooler;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** JDBC URL of the database through the pooler. */
  public String url() {
    return new PostgresAddress("127.0.0.1", listener.getLocalPort()).url(database)
        + "?sslmode=disable";
  }

  private PooledBackend dial() throws IOException {
    return new PooledBackend(server, database);
  }

  private synchronized <T extends Closeable> T keep(T closeable) {
    open.add(closeable);
    return closeable;
  }

  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "transaction-pooler");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = keep(listener.accept());
        inBackground(() -> serve(client));
      } catch (IOException e) {
        return; // Closed.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      in.readNBytes(in.readInt() - 4); // The StartupMessage.
      PooledBackend any = idle.takeLast();
      out.write(any.greeting);
      out.flush();
      idle.addLast(any);
      while (true) {
        Message first = Message.read(in);
        if (first.type == 'X') {
          return;
        }
        lendFor(first, in, out);
      }
    } catch (IOException e) {
      return; // The client has disconnected.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Executes one transaction of a client on a backend. A backend whose client disconnects within a
   * transaction is replaced.
   */
  private void lendFor(Message first, DataInputStream in, DataOutputStream out)
      throws IOException, InterruptedException {
    PooledBackend backend = idle.takeLast();
    try {
      backend.serveTransaction(first, in, out);
      idle.addLast(backend);
    } catch (IOException e) {
      backend.close();
      idle.addLast(keep(dial()));
      throw e;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    listener.close();
    for (Closeable each : open) {
      each.close();
    }
  }

  private static final class Message {
    private final int type;
    private final byte[] body;

    private Message(int type, byte[] body) {
      this.type = type;
      this.body = body;
    }

    static Message read(DataInputStream in) throws IOException {
      int type = in.readUnsignedByte();
      return new Message(type, in.readNBytes(in.readInt() - 4));
    }

    void write(DataOutputStream out) throws IOException {
      out.writeByte(type);
      out.writeInt(body.length + 4);
      out.write(body);
      out.flush();
    }

    boolean endsRequest() {
      return type == 'S' || type == 'Q';
    }

    boolean isReady() {
      return type == 'Z';
    }
  }

  /** One connection to the server. */
  private static final class PooledBackend implements Closeable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] greeting;

    PooledBackend(PostgresServer server, String database) throws IOException {
      socket = new Socket(server.host(), server.port());
      in = new DataInputStream(socket.getInputStream());
      out = new DataOutputStream(socket.getOutputStream());
      byte[] who =
          "user\0%s\0database\0%s\0client_encoding\0UTF8\0DateStyle\0ISO\0\0"
              .formatted(server.user(), database)
              .getBytes(StandardCharsets.US_ASCII);
      out.writeInt(who.length + 8);
      out.writeInt(PROTOCOL_3);
      out.write(who);
      out.flush();
      ByteArrayOutputStream heard = new ByteArrayOutputStream();
      relay(new DataOutputStream(heard));
      greeting = heard.toByteArray();
    }

    /** Forwards the server's messages until it is ready; returns whether no transaction is open. */
    private boolean relay(DataOutputStream to) throws IOException {
      while (true) {
        Message message = Message.read(in);
        message.write(to);
        if (message.isReady()) {
          return message.body[0] == 'I';
        }
      }
    }

    void serveTransaction(Message first, DataInputStream client, DataOutputStream answers)
        throws IOException {
      Message message = first;
      while (true) {
        message.write(out);
        if (message.endsRequest() && relay(answers)) {
          return;
        }
        message = Message.read(client);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
