package io.portcullis.backend.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One open connection to the primary. It ends with the server's life, so where the server does not
 * tell its own life and age, this one's stand in for them: they can only be shorter.
 */
final class Line {
  private final StatefulRedisConnection<String, String> connection;
  private final Commands commands;
  private final String[] keys;
  private final String id = UUID.randomUUID().toString();
  private final long openedAtNanos = System.nanoTime();
  private boolean closed;

  Line(StatefulRedisConnection<String, String> connection, LeaseKeys keys) {
    this.connection = connection;
    this.commands = new Commands(connection);
    this.keys = new String[] {keys.lease(), keys.record()};
  }

  String id() {
    return id;
  }

  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedAtNanos);
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  /** Runs the script that the server already knows. */
  CompletionStage<List<Object>> runKnown(String[] arguments) {
    return commands.evalsha(LeaseScript.SHA, keys, arguments);
  }

  /** Runs the script and lets the server learn it. */
  CompletionStage<List<Object>> runNew(String[] arguments) {
    return commands.eval(LeaseScript.TEXT, keys, arguments);
  }

  /** How many replicas have confirmed what this line has written, once enough did or time is up. */
  CompletionStage<Long> confirmations(int wanted, long millis) {
    return commands.waitForReplication(wanted, millis);
  }

  /** A section of what the server tells about itself. */
  CompletionStage<String> info(String section) {
    return commands.info(section);
  }

  void close() {
    if (!closed) {
      closed = true;
      var unused = connection.closeAsync();
    }
  }
}
