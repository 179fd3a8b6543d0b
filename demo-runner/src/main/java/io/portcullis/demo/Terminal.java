package io.portcullis.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Prints the output of the demo: permanent lines, and below them a status block that is redrawn in
 * place. If standard output is not a terminal, the block is replaced by an occasional plain line.
 */
final class Terminal {
  static final int WIDTH = 80;
  private static final int SECONDS_BETWEEN_PLAIN_LINES = 5;
  private static final String ESCAPE = "\u001b[";

  private final PrintStream out;
  private final boolean interactive;
  private final boolean colours;
  private int blockLines;
  private long nextPlainSecond;
  private boolean closed;

  Terminal(PrintStream out, boolean interactive, boolean colours) {
    this.out = out;
    this.interactive = interactive;
    this.colours = colours;
  }

  /** Creates a terminal on the process's standard output. */
  static Terminal standard(boolean interactive, boolean colours) {
    FileOutputStream file = new FileOutputStream(FileDescriptor.out);
    return new Terminal(
        new PrintStream(file, true, StandardCharsets.UTF_8), interactive, interactive && colours);
  }

  /** Prints a permanent line. */
  synchronized void print(String line) {
    if (closed) {
      return;
    }
    eraseBlock();
    out.println(line);
  }

  /**
   * Updates the status block.
   *
   * @param block the block for an interactive terminal
   * @param plain one line with the same content for other outputs
   */
  synchronized void show(long second, List<String> block, String plain) {
    if (closed) {
      return;
    }
    if (interactive) {
      eraseBlock();
      block.forEach(out::println);
      blockLines = block.size();
      out.flush();
    } else if (second >= nextPlainSecond) {
      nextPlainSecond = second + SECONDS_BETWEEN_PLAIN_LINES;
      out.println(plain);
    }
  }

  /** Removes the block and ignores all further output. */
  synchronized void close() {
    eraseBlock();
    closed = true;
  }

  String green(String text) {
    return colour("32", text);
  }

  String red(String text) {
    return colour("31", text);
  }

  String bold(String text) {
    return colour("1", text);
  }

  private String colour(String code, String text) {
    return colours ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
  }

  private void eraseBlock() {
    if (blockLines > 0) {
      out.print(ESCAPE + blockLines + "A" + ESCAPE + "J");
      blockLines = 0;
    }
  }
}
