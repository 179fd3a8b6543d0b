package io.portcullis.backend.quorum.disk;

import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import io.portcullis.backend.quorum.machine.HardState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A second JVM with this class path that opens a box, and then holds it or writes to it. */
final class VoteStoreProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private VoteStoreProcess(Process process) {
    this.process = process;
    this.out = process.inputReader();
  }

  /**
   * Told to {@code hold} it until it is stopped, to {@code write} one ballot after another, or to
   * {@code save} one and end.
   */
  static VoteStoreProcess start(Path data, String what) throws IOException {
    return start(List.of(), data, what);
  }

  /** The same under a command that watches it. */
  static VoteStoreProcess start(List<String> watched, Path data, String what) throws IOException {
    List<String> command = new ArrayList<>(watched);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(VoteStoreProcess.class.getName());
    command.add(data.toString());
    command.add(what);
    return new VoteStoreProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** What it says next, null once it has ended. */
  String says() throws IOException {
    return out.readLine();
  }

  long pid() {
    return process.pid();
  }

  /** As by SIGKILL; returns once it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Opens, says so or why not, and goes on. */
  public static void main(String[] args) throws IOException {
    PrintStream say = System.out;
    try (VoteStore box = VoteStore.open(Path.of(args[0]), "orders/writer", "a")) {
      say.println("open");
      for (long term = 1; args[1].equals("write"); term++) {
        box.save(new HardState(term, "b", Duration.ofSeconds(term)));
        say.println(term);
      }
      if (args[1].equals("save")) {
        box.save(HardState.BLANK);
      } else {
        System.in.read();
      }
    } catch (UnusableFolderException e) {
      say.println(e.getMessage());
    }
  }
}
