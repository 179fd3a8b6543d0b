package io.portcullis.benchmarks.failover;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Controls a node's JVM. */
public final class Node implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final int LOOK_MILLIS = 200;
  private static final int LOG_LINES_SHOWN = 15;

  private final Path log;
  private final Process process;
  private final Writer commands;
  private final Map<Event, BlockingQueue<Long>> events = new EnumMap<>(Event.class);
  private volatile boolean mayAct;

  private Node(Path log, Process process) {
    this.log = log;
    this.process = process;
    this.commands = process.outputWriter(UTF_8);
    for (Event event : Event.values()) {
      events.put(event, new LinkedBlockingQueue<>());
    }
    Thread reader = new Thread(this::read, "node-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static Node start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    // Settings that this shell may have for other purposes.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("PORTCULLIS") || name.equals("JAVA_TOOL_OPTIONS"));
    Node node = new Node(log, builder.start());
    node.checkClock();
    return node;
  }

  private void read() {
    try (BufferedReader in = process.inputReader(UTF_8)) {
      in.lines().forEach(this::note);
    } catch (IOException | UncheckedIOException e) {
      return; // The process has ended; the code that waits for its events reports that.
    }
  }

  private void note(String line) {
    String[] parts = line.split(" ", 2);
    Event event = Event.valueOf(parts[0]);
    if (event == Event.OPEN || event == Event.SHUT) {
      mayAct = event == Event.OPEN;
    }
    queue(event).add(Long.valueOf(parts[1]));
  }

  private BlockingQueue<Long> queue(Event event) {
    return events.computeIfAbsent(event, unused -> new LinkedBlockingQueue<>());
  }

  /**
   * Checks the node's clock. Times of two processes are compared, so they must be times of one
   * clock.
   */
  private void checkClock() throws IOException {
    long before = System.nanoTime();
    send(Command.CLOCK);
    long there = await(Event.CLOCK);
    if (there - before < 0 || System.nanoTime() - there < 0) {
      throw new MeasurementException(
          "System.nanoTime() of two JVMs can't be compared on this machine. On Linux it can.");
    }
  }

  public boolean mayAct() {
    return mayAct;
  }

  public void send(Command command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  /** Discards the events of this kind so far. */
  public void forget(Event event) {
    queue(event).clear();
  }

  /** Waits for the next event of this kind and returns its time. */
  public long await(Event event) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    boolean alive = true;
    while (alive && deadline - System.nanoTime() > 0) {
      alive = process.isAlive();
      Long nanos = poll(event);
      if (nanos != null) {
        return nanos;
      }
    }
    String why = alive ? "within " + PATIENCE_SECONDS + " s" : "before it ended";
    throw new MeasurementException(
        "A node did not report " + event + " " + why + ". " + lastOfLog());
  }

  private @Nullable Long poll(Event event) {
    try {
      return queue(event).poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MeasurementException("It was interrupted.");
    }
  }

  private String lastOfLog() {
    try {
      List<String> lines = Files.readAllLines(log);
      return "The end of its log:\n"
          + String.join(
              "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "Its log can't be read: " + e;
    }
  }

  /** Sends SIGKILL; returns the time just before. */
  public long kill() {
    long before = System.nanoTime();
    process.destroyForcibly();
    return before;
  }

  /**
   * Sends SIGTERM; returns the time just before. The pipes stay open, so that the node can end
   * gracefully.
   */
  public long terminate() {
    long before = System.nanoTime();
    process.toHandle().destroy();
    return before;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
