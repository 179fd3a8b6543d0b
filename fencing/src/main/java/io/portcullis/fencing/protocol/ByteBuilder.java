package io.portcullis.fencing.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow at their end, and the numbers and texts of the protocol in them. */
final class ByteBuilder {
  /** What is kept for the next use; more than that is given back. */
  private static final int MAX_RETAINED_BYTES = 1 << 16;

  private byte[] array = new byte[512];
  private int length;

  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  boolean isEmpty() {
    return length == 0;
  }

  void clear() {
    length = 0;
    if (array.length > MAX_RETAINED_BYTES) {
      array = new byte[512];
    }
  }

  ByteBuilder add(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, array, length, count);
    length += count;
    return this;
  }

  ByteBuilder add(byte[] all) {
    return add(all, 0, all.length);
  }

  ByteBuilder add(int one) {
    ensure(1);
    array[length++] = (byte) one;
    return this;
  }

  ByteBuilder addShort(int value) {
    return add(value >> 8).add(value);
  }

  ByteBuilder addInt(int value) {
    return addShort(value >> 16).addShort(value);
  }

  /** A text and the zero after it. */
  ByteBuilder addText(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8)).add(0);
  }

  /** Begins a message; {@link #end} fills in its length. */
  int begin(char type) {
    add(type).addInt(0);
    return length - Integer.BYTES;
  }

  void end(int mark) {
    int size = length - mark;
    array[mark] = (byte) (size >> 24);
    array[mark + 1] = (byte) (size >> 16);
    array[mark + 2] = (byte) (size >> 8);
    array[mark + 3] = (byte) size;
  }

  /** A message that prepares a statement without parameters. */
  ByteBuilder addParse(String name, String text) {
    int mark = begin('P');
    addText(name).addText(text).addShort(0);
    end(mark);
    return this;
  }

  /** A message that binds a statement without parameters. */
  ByteBuilder addBind(String portal, String statement) {
    int mark = begin('B');
    addText(portal).addText(statement).addShort(0).addShort(0).addShort(0);
    end(mark);
    return this;
  }

  ByteBuilder addExecute(String portal) {
    int mark = begin('E');
    addText(portal).addInt(0);
    end(mark);
    return this;
  }

  /** A message that closes a statement or a portal. */
  ByteBuilder addClose(char what, String name) {
    int mark = begin('C');
    add(what).addText(name);
    end(mark);
    return this;
  }

  byte[] copy() {
    return Arrays.copyOf(array, length);
  }

  private void ensure(int more) {
    if (array.length - length < more) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, Math.addExact(length, more)));
    }
  }

  /** The number of four bytes at this place. */
  static int intAt(byte[] bytes, int at) {
    return (bytes[at] << 24)
        | ((bytes[at + 1] & 0xFF) << 16)
        | ((bytes[at + 2] & 0xFF) << 8)
        | (bytes[at + 3] & 0xFF);
  }

  /** Where the zero stands that ends the text at this place. */
  static int endOfText(byte[] bytes, int from, int limit) throws ProtocolViolationException {
    for (int at = from; at < limit; at++) {
      if (bytes[at] == 0) {
        return at;
      }
    }
    throw new ProtocolViolationException("a message holds a text without an end.");
  }
}
