package io.portcullis.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where the show is seen: lines that stay, and below them a block that is drawn anew in place. If
 * nobody watches, the block becomes an occasional plain line.
 */
final class Terminal {
  static final int WIDTH = 80;
  private static final int SECONDS_BETWEEN_PLAIN_LINES = 5;
  private static final String ESCAPE = "\u001b[";

  private final PrintStream out;
  private final boolean watched;
  private final boolean colours;
  private int blockLines;
  private long nextPlainSecond;
  private boolean closed;

  Terminal(PrintStream out, boolean watched, boolean colours) {
    this.out = out;
    this.watched = watched;
    this.colours = colours;
  }

  /** The process's standard output. */
  static Terminal standard(boolean watched, boolean colours) {
    FileOutputStream file = new FileOutputStream(FileDescriptor.out);
    return new Terminal(
        new PrintStream(file, true, StandardCharsets.UTF_8), watched, watched && colours);
  }

  /** Prints a line that stays. */
  synchronized void say(String line) {
    if (closed) {
      return;
    }
    eraseBlock();
    out.println(line);
  }

  /**
   * Shows how things stand now.
   *
   * @param block lines for a watched terminal
   * @param plain one line with the same content
   */
  synchronized void show(long second, List<String> block, String plain) {
    if (closed) {
      return;
    }
    if (watched) {
      eraseBlock();
      block.forEach(out::println);
      blockLines = block.size();
      out.flush();
    } else if (second >= nextPlainSecond) {
      nextPlainSecond = second + SECONDS_BETWEEN_PLAIN_LINES;
      out.println(plain);
    }
  }

  /** Shows nothing more, whatever comes. */
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
