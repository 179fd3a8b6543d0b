package io.portcullis.servers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A fake Postgres server that requests a password, records what it receives, and refuses every
 * login.
 */
public final class PasswordCapturingServer implements AutoCloseable {
  /** The requested kind of authentication. */
  public enum AuthMethod {
    /** The password itself. */
    CLEAR_TEXT,
    /** The password's MD5 hash with a salt. */
    MD5
  }

  private static final int TLS_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int MAX_MESSAGE_BYTES = 1 << 16;

  private final ServerSocket listener;
  private final AuthMethod method;
  private final List<String> users = new CopyOnWriteArrayList<>();
  private final List<String> passwords = new CopyOnWriteArrayList<>();

  private PasswordCapturingServer(ServerSocket listener, AuthMethod method) {
    this.listener = listener;
    this.method = method;
  }

  /** Starts a server at this address, on a free port. */
  public static PasswordCapturingServer open(String address, AuthMethod method) {
    return open(address, 0, method);
  }

  /** Starts a server at this address and port. */
  public static PasswordCapturingServer open(String address, int port, AuthMethod method) {
    try {
      PasswordCapturingServer trap =
          new PasswordCapturingServer(
              new ServerSocket(port, 0, InetAddress.getByName(address)), method);
      Thread thread = new Thread(trap::accept, "login-trap");
      thread.setDaemon(true);
      thread.start();
      return trap;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Port on which the server listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Users that tried to log in, in order. */
  public List<String> users() {
    return List.copyOf(users);
  }

  /** Passwords or hashes that were received, in order. */
  public List<String> passwords() {
    return List.copyOf(passwords);
  }

  private void accept() {
    while (!listener.isClosed()) {
      acceptOne();
    }
  }

  private void acceptOne() {
    try (Socket socket = listener.accept()) {
      serve(
          new DataInputStream(socket.getInputStream()),
          new DataOutputStream(socket.getOutputStream()));
    } catch (IOException e) {
      return; // The client disconnected, or this server was closed.
    }
  }

  private void serve(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] startup = message(in);
    while (isEncryptionRequest(startup)) {
      out.writeByte('N');
      out.flush();
      startup = message(in);
    }
    String[] words =
        new String(startup, Integer.BYTES, startup.length - Integer.BYTES, StandardCharsets.UTF_8)
            .split("\0", -1);
    users.add(words[Arrays.asList(words).indexOf("user") + 1]);
    ask(out);
    in.readByte();
    byte[] password = message(in);
    passwords.add(new String(password, 0, password.length - 1, StandardCharsets.UTF_8));
    refuse(out);
  }

  private static boolean isEncryptionRequest(byte[] message) {
    int code = ByteBuffer.wrap(message).getInt();
    return code == TLS_REQUEST || code == GSS_REQUEST;
  }

  /** Reads the rest of a message after its length. */
  private static byte[] message(DataInputStream in) throws IOException {
    int length = in.readInt() - Integer.BYTES;
    if (length < Integer.BYTES || length > MAX_MESSAGE_BYTES) {
      throw new IOException("a message of " + length + " bytes");
    }
    return in.readNBytes(length);
  }

  private void ask(DataOutputStream out) throws IOException {
    out.writeByte('R');
    if (method == AuthMethod.CLEAR_TEXT) {
      out.writeInt(8);
      out.writeInt(3);
    } else {
      out.writeInt(12);
      out.writeInt(5);
      out.writeBytes("salt");
    }
    out.flush();
  }

  private static void refuse(DataOutputStream out) throws IOException {
    byte[] fields = "SFATAL\0VFATAL\0C28P01\0Mlogin denied\0\0".getBytes(StandardCharsets.UTF_8);
    out.writeByte('E');
    out.writeInt(Integer.BYTES + fields.length);
    out.write(fields);
    out.flush();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
