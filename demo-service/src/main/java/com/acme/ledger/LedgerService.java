package com.acme.ledger;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Starts the service with settings from the environment; shuts it down gracefully on SIGTERM. */
public final class LedgerService {
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Settings settings;
  private final PrintStream console;
  private final TransferStore store;
  private final Ledger ledger;
  private final LedgerServer server;

  private LedgerService(Settings settings, PrintStream console) throws IOException {
    this.settings = settings;
    this.console = console;
    this.store = settings.openStore();
    this.ledger = new Ledger(store, settings.writer());
    this.server =
        new LedgerServer(
            new InetSocketAddress(settings.bind(), settings.port()), new LedgerApi(ledger));
  }

  /** Runs the service; see {@link Settings} for its variables. */
  public static void main(String[] args) {
    try {
      Settings settings = Settings.from(System.getenv());
      new LedgerService(settings, printTo(FileDescriptor.out)).start();
    } catch (IllegalArgumentException | IOException | StoreException e) {
      printTo(FileDescriptor.err).println("ledger can't start: " + e.getMessage());
      System.exit(1);
    }
  }

  private void start() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "ledger-shutdown"));
    server.start();
    console.println(
        "ledger listening on http://"
            + settings.bind()
            + ":"
            + server.port()
            + " as "
            + settings.writer());
  }

  private void close() {
    if (settings.closingEntry()) {
      console.println(writeClosingEntry());
    }
    try {
      server.stop(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    store.close();
    console.println("ledger closed");
  }

  private String writeClosingEntry() {
    try {
      Transfer entry = ledger.append(UUID.randomUUID().toString(), "closing", "closing", 0);
      return "closing entry " + entry.id() + " written";
    } catch (RuntimeException e) { // The service shuts down even if this fails.
      return "closing entry not written: " + e.getMessage();
    }
  }

  private static PrintStream printTo(FileDescriptor file) {
    return new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }
}
