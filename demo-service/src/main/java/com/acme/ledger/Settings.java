package com.acme.ledger;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;

/** Settings from environment variables: PORT, BIND, WRITER, DB_URL or JOURNAL, CLOSING_ENTRY. */
record Settings(
    String bind,
    int port,
    String writer,
    String dbUrl,
    String dbUser,
    String dbPassword,
    Path journal,
    boolean closingEntry) {

  /**
   * Reads the environment.
   *
   * @throws IllegalArgumentException if a variable is invalid; the message names it
   */
  static Settings from(Map<String, String> env) {
    return new Settings(
        get(env, "BIND", "127.0.0.1"),
        port(get(env, "PORT", "8080")),
        get(env, "WRITER", hostName() + "-" + ProcessHandle.current().pid()),
        get(env, "DB_URL", ""),
        get(env, "DB_USER", ""),
        get(env, "DB_PASSWORD", ""),
        Path.of(get(env, "JOURNAL", "journal.log")),
        closingEntry(get(env, "CLOSING_ENTRY", "false")));
  }

  /** Opens the database if DB_URL is set, else the journal. */
  TransferStore openStore() {
    return dbUrl.isEmpty()
        ? new FileTransferStore(journal)
        : new PostgresTransferStore(dbUrl, dbUser, dbPassword);
  }

  private static String get(Map<String, String> env, String name, String defaultValue) {
    String value = env.getOrDefault(name, "");
    return value.isEmpty() ? defaultValue : value;
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(portMessage(text), e);
    }
    throw new IllegalArgumentException(portMessage(text));
  }

  private static String portMessage(String text) {
    return "PORT must be a number from 0 to 65535 (0: any free port), not \"" + text + "\"";
  }

  private static boolean closingEntry(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "CLOSING_ENTRY must be true or false, not \"" + text + "\"");
    };
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // The process id still makes the name unique.
    }
  }
}
