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

/** A second JVM with this class path that opens a vote store. */
final class VoteStoreProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private VoteStoreProcess(Process process) {
    this.process = process;
    this.out = process.inputReader();
  }

  /**
   * Starts it with mode {@code hold}: keeps the store open until it is killed; {@code write}: also
   * saves one ballot after another; or {@code save}: saves one ballot and ends.
   */
  static VoteStoreProcess start(Path data, String mode) throws IOException {
    return start(List.of(), data, mode);
  }

  /** Starts it below a command such as strace. */
  static VoteStoreProcess start(List<String> wrapper, Path data, String mode) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(VoteStoreProcess.class.getName());
    command.add(data.toString());
    command.add(mode);
    return new VoteStoreProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** Reads the next line of its output; null once it has ended. */
  String readLine() throws IOException {
    return out.readLine();
  }

  long pid() {
    return process.pid();
  }

  /** Sends SIGKILL; returns once the process has ended. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Opens the store, prints whether that succeeded, and continues by mode. */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    try (VoteStore store = VoteStore.open(Path.of(args[0]), "orders/writer", "a")) {
      out.println("open");
      for (long term = 1; args[1].equals("write"); term++) {
        store.save(new HardState(term, "b", Duration.ofSeconds(term)));
        out.println(term);
      }
      if (args[1].equals("save")) {
        store.save(HardState.BLANK);
      } else {
        System.in.read();
      }
    } catch (UnusableFolderException e) {
      out.println(e.getMessage());
    }
  }
}
