package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase.FencedDatabaseLookup;
import io.portcullis.fencing.protocol.BackendMessages.ErrorResponse;
import io.portcullis.servers.PostgresServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A driver that sends arbitrary messages, in pieces of any size, and several groups before it reads
 * a response. Senders with the same seed send the same.
 */
final class RandomMessageSender implements AutoCloseable {
  private static final String[] NAMES = {"a", "b", "c", ""};
  private static final String[] PORTALS = {"", "", "", "", "p"};
  private static final String[] READS = {
    "SELECT 1",
    "SELECT n FROM w ORDER BY n LIMIT 3",
    "SELECT 1 / 0",
    "SELECT count(*) FROM w",
    "SELECT repeat('x', 9000)",
    "SHOW application_name",
    "SELECT i FROM generate_series(1, 700) i",
  };
  private static final String[] OTHERS = {
    "INSERT INTO w (n) VALUES (1)",
    "DELETE FROM w WHERE n = 3",
    "INSERT INTO w (n) VALUES (1000)",
    "SELECT puts()",
    "SELECT counts()",
    "SET application_name = 'x'",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT s",
    "ROLLBACK TO s",
    "DEALLOCATE a",
    "DEALLOCATE ALL",
    "PREPARE b AS SELECT 2",
    "SELECT broken FROM",
    "",
    "COPY (SELECT 1) TO STDOUT",
    "DISCARD PLANS",
    "COMMIT AND CHAIN",
    "UPDATE w SET n = 3",
  };
  private static final String[] ALONE = {
    "CALL commits()", "VACUUM w", "DISCARD ALL", "DO $$BEGIN RAISE NOTICE 'heard'; END$$"
  };

  private final Random random;

  /** The sizes of the pieces; random, but independent of the number of responses. */
  private final Random pieces;

  private byte[] read = {};
  private int at;

  /** The server was ready within a transaction that has failed. */
  private boolean failed;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** A connection to the database, which is fenced if the finder says so. */
  RandomMessageSender(PostgresServer server, FencedDatabaseLookup finder, String schema, long seed)
      throws IOException {
    random = new Random(seed);
    pieces = new Random(seed);
    socket = new Socket(server.host(), server.port());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    FencedConnection wire = new FencedConnection(socket, finder, (site, epoch, state) -> {});
    in = wire.input();
    out = wire.output();
    out.write(
        ProtocolMessages.greeting(
            "user",
            server.user(),
            "database",
            FencedPostgresFixture.DATABASE,
            "options",
            "-c search_path=" + schema));
    out.flush();
    answers(1);
  }

  /** Sends some groups; returns them and their responses. */
  String step() throws IOException {
    StringBuilder log = new StringBuilder();
    int groups = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
    boolean whole = random.nextInt(3) > 0;
    for (int i = 0; i < groups; i++) {
      ByteBuilder group = new ByteBuilder();
      group(group, log);
      write(group.copy(), whole);
    }
    out.flush();
    return log.append(" -> ").append(answers(groups)).toString();
  }

  private void write(byte[] bytes, boolean whole) throws IOException {
    int at = 0;
    while (at < bytes.length) {
      int most = bytes.length - at;
      int count = whole ? most : 1 + pieces.nextInt(most);
      out.write(bytes, at, count);
      at += count;
      if (pieces.nextInt(4) == 0) {
        out.flush();
      }
    }
  }

  private String one(String[] of) {
    return of[random.nextInt(of.length)];
  }

  private void group(ByteBuilder group, StringBuilder log) {
    int kind = random.nextInt(10);
    if (kind == 0) {
      alone(group, log);
    } else if (kind < 3) {
      query(group, log, text());
    } else if (kind < 7) {
      // A read on the fast path, sometimes.
      String name = one(NAMES);
      boolean describes = random.nextBoolean();
      group.addBind("", name);
      if (describes) {
        describe(group, 'P', "");
      }
      group.addExecute("");
      sync(group);
      log.append(" [B |").append(name).append(describes ? " D" : "").append(" E S]");
    } else {
      log.append(" [");
      for (int i = random.nextInt(6); i >= 0; i--) {
        message(group, log);
      }
      sync(group);
      log.append(" S]");
    }
  }

  private String text() {
    return random.nextInt(3) == 0 ? one(READS) : one(OTHERS);
  }

  private void alone(ByteBuilder group, StringBuilder log) {
    String text = one(ALONE);
    if (random.nextBoolean()) {
      query(group, log, text);
    } else {
      log.append(" [").append(text).append(']');
      // After a standalone statement the unnamed statement is gone, as after a query.
      group.addClose('S', "").addClose('S', "d").addParse("d", text);
      group.addBind("", "d").addExecute("");
      sync(group);
    }
  }

  private static void query(ByteBuilder group, StringBuilder log, String text) {
    log.append(" [Q ").append(text).append(']');
    int mark = group.begin('Q');
    group.addText(text);
    group.end(mark);
  }

  private void message(ByteBuilder group, StringBuilder log) {
    String name = one(NAMES);
    String portal = one(PORTALS);
    switch (random.nextInt(9)) {
      case 0, 1 -> {
        String text = random.nextBoolean() ? one(READS) : one(OTHERS);
        log.append(" P ").append(name).append('|').append(text);
        if (random.nextBoolean()) {
          log.append(" again");
          group.addClose('S', name);
        }
        group.addParse(name, text);
      }
      case 2, 3 -> {
        log.append(" B ").append(portal).append('|').append(name);
        group.addBind(portal, name);
      }
      case 4, 5 -> {
        boolean some = random.nextInt(3) == 0;
        if (random.nextBoolean()) {
          log.append(" B ").append(portal).append('|').append(name);
          group.addBind(portal, name);
        } else {
          portal = "p";
        }
        log.append(" E ").append(portal).append(some ? " 1" : "");
        int mark = group.begin('E');
        group.addText(portal).addInt(some ? 1 : 0);
        group.end(mark);
      }
      case 6 -> {
        boolean statement = random.nextBoolean();
        log.append(" D ").append(statement ? "S" + name : "P" + portal);
        describe(group, statement ? 'S' : 'P', statement ? name : portal);
      }
      case 7 -> {
        boolean statement = random.nextBoolean();
        log.append(" C ").append(statement ? "S" + name : "P" + portal);
        group.addClose(statement ? 'S' : 'P', statement ? name : portal);
      }
      default -> {
        log.append(" H");
        group.end(group.begin('H'));
      }
    }
  }

  private static void describe(ByteBuilder group, char what, String name) {
    int mark = group.begin('D');
    group.add(what).addText(name);
    group.end(mark);
  }

  private static void sync(ByteBuilder group) {
    group.end(group.begin('S'));
  }

  /** The server's messages until it was ready this many times. */
  private List<String> answers(int ready) throws IOException {
    List<String> log = new ArrayList<>();
    for (int left = ready; left > 0; ) {
      byte[] header = bytes(5);
      char type = (char) header[0];
      byte[] body = bytes(ByteBuilder.intAt(header, 1) - 4);
      if (type == 'E' && failed) {
        // Which of a group's errors comes first does not matter.
        log.add("E");
      } else if (type == 'E' || type == 'N') {
        log.add(type + ErrorResponse.state(body, 0, body.length));
      } else if (type == 'T') {
        log.add("T");
      } else if (type == 'D' && log.get(log.size() - 1).equals("D")) {
        // One of many.
        log.set(log.size() - 1, "D");
      } else if (type == 'C' || type == 'Z') {
        log.add(type + new String(body, StandardCharsets.UTF_8).strip());
      } else if (type != 'K') {
        log.add(String.valueOf(type));
      }
      if (type == 'Z') {
        left--;
        failed = body[0] == 'E';
      }
    }
    return log;
  }

  /** As from a driver with its own buffer. */
  private byte[] bytes(int count) throws IOException {
    byte[] result = new byte[count];
    for (int done = 0; done < count; ) {
      if (at == read.length) {
        byte[] buffer = new byte[pieces.nextInt(3) == 0 ? 1 + pieces.nextInt(2000) : 1 << 13];
        int some = in.read(buffer, 0, buffer.length);
        if (some < 0) {
          throw new EOFException("The server has closed it.");
        }
        read = Arrays.copyOf(buffer, some);
        at = 0;
      }
      int some = Math.min(count - done, read.length - at);
      System.arraycopy(read, at, result, done, some);
      done += some;
      at += some;
    }
    return result;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
