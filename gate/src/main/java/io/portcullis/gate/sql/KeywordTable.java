package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import java.util.StringTokenizer;

/**
 * Lookup table for ASCII words. Finds a word within a byte array, ignoring case, without creating a
 * string.
 */
final class KeywordTable<T> {
  private static final int SLOTS = 4096;

  private final byte[][] words = new byte[SLOTS][];
  private final Object[] values = new Object[SLOTS];

  void add(String word, T value) {
    byte[] bytes = new byte[word.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = lower((byte) word.charAt(i));
    }
    int slot = slot(bytes, 0, bytes.length);
    while (words[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    words[slot] = bytes;
    values[slot] = value;
  }

  /** Adds words that are separated by white space. */
  void addAll(String list, T value) {
    for (StringTokenizer each = new StringTokenizer(list); each.hasMoreTokens(); ) {
      add(each.nextToken(), value);
    }
  }

  /** Returns the word's value, null if the table does not contain the word. */
  @SuppressWarnings("unchecked") // Only add() stores values.
  @Nullable
  T find(byte[] sql, int from, int to) {
    int slot = slot(sql, from, to);
    while (words[slot] != null) {
      if (isWord(words[slot], sql, from, to)) {
        return (T) values[slot];
      }
      slot = (slot + 1) % SLOTS;
    }
    return null;
  }

  private static boolean isWord(byte[] word, byte[] sql, int from, int to) {
    if (word.length != to - from) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (word[i] != lower(sql[from + i])) {
        return false;
      }
    }
    return true;
  }

  private static int slot(byte[] sql, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + lower(sql[i]);
    }
    return (hash ^ (hash >>> 12)) & (SLOTS - 1);
  }

  private static byte lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? (byte) (letter + ('a' - 'A')) : letter;
  }
}
