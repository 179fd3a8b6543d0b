package io.portcullis.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of a process, read line by line. */
public final class ProcessOutput {
  private final List<OutputLine> lines = new CopyOnWriteArrayList<>();
  private final Thread out;
  private final Thread err;

  /** Standard error may stay unread until the process has ended. */
  ProcessOutput(Process process, boolean stderrRead) {
    this.out = reader(() -> read(process.getInputStream(), false));
    this.err = reader(() -> readStderr(process, stderrRead));
  }

  public List<OutputLine> lines() {
    return List.copyOf(lines);
  }

  public List<String> stdout() {
    return texts(false).toList();
  }

  public List<String> stderr() {
    return texts(true).toList();
  }

  public String all() {
    return lines.stream()
        .map(line -> (line.stderr() ? "! " : "  ") + line.text())
        .collect(Collectors.joining("\n"));
  }

  /** Waits until all output of an ended process was read. */
  void awaitEnd() throws InterruptedException {
    out.join();
    err.join();
  }

  private Stream<String> texts(boolean stderr) {
    return lines.stream().filter(line -> line.stderr() == stderr).map(OutputLine::text);
  }

  private static Thread reader(Runnable work) {
    Thread thread = new Thread(work, "output-reader");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void readStderr(Process process, boolean atOnce) {
    if (!atOnce) {
      process.onExit().join();
    }
    read(process.getErrorStream(), true);
  }

  private void read(InputStream stream, boolean stderr) {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        lines.add(new OutputLine(System.nanoTime(), stderr, text));
      }
    } catch (IOException e) {
      lines.add(
          new OutputLine(System.nanoTime(), stderr, "(reading ended: " + e.getMessage() + ")"));
    }
  }
}
