package io.portcullis.benchmarks.failover;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Main class of a node. Reads commands line by line and reports events as {@code <event>
 * <System.nanoTime()>}. Ends with its standard input, so that it never outlives the process that
 * started it.
 */
public final class NodeMain {
  /**
   * Pause between two checks, which leaves the processor to others; a measurement is too long by at
   * most this time.
   */
  private static final long PAUSE_NANOS = 50_000;

  private NodeMain() {}

  public static void main(String[] args) throws Exception {
    serve(() -> Contender.of(ContenderKind.valueOf(args[0]), args[1], args[2]), PAUSE_NANOS);
  }

  /**
   * Runs a contender as commanded; never returns.
   *
   * @param pauseNanos between two checks whether it may act
   */
  public static void serve(Callable<Contender> connect, long pauseNanos) throws Exception {
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    daemon("commands", () -> read(commands));
    Contender contender = connect.call();
    daemon("may-act", () -> watch(contender, pauseNanos));
    while (true) {
      obey(Command.valueOf(commands.take()), contender);
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void read(BlockingQueue<String> commands) {
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      in.lines().forEach(commands::add);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("No more commands: " + e);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void obey(Command command, Contender contender) throws Exception {
    switch (command) {
      case CLOCK -> report(Event.CLOCK, System.nanoTime());
      case JOIN -> {
        report(Event.JOINING, System.nanoTime());
        contender.join();
      }
      case STEP_DOWN -> {
        long asked = System.nanoTime();
        contender.stepDown();
        report(Event.STEPPED_DOWN, asked);
      }
    }
  }

  private static void watch(Contender contender, long pauseNanos) {
    boolean before = false;
    while (true) {
      boolean now = contender.mayAct();
      if (now != before) {
        report(now ? Event.OPEN : Event.SHUT, System.nanoTime());
        before = now;
      }
      LockSupport.parkNanos(pauseNanos);
    }
  }

  private static void report(Event event, long nanos) {
    System.out.println(event + " " + nanos);
  }
}
