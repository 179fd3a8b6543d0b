package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import java.util.StringTokenizer;

/** Words of ASCII, looked up in the middle of a text, in any case and without making a string. */
final class KeywordTable<T> {
  private static final int SLOTS = 4096;

  private final byte[][] words = new byte[SLOTS][];
  private final Object[] meanings = new Object[SLOTS];

  void add(String word, T meaning) {
    byte[] bytes = new byte[word.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = lower((byte) word.charAt(i));
    }
    int slot = slot(bytes, 0, bytes.length);
    while (words[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    words[slot] = bytes;
    meanings[slot] = meaning;
  }

  /** Adds words that are separated by white space. */
  void addAll(String list, T meaning) {
    for (StringTokenizer each = new StringTokenizer(list); each.hasMoreTokens(); ) {
      add(each.nextToken(), meaning);
    }
  }

  /** The word's meaning, null if it is not in here. */
  @SuppressWarnings("unchecked") // Only add puts them in.
  @Nullable
  T find(byte[] text, int from, int to) {
    int slot = slot(text, from, to);
    while (words[slot] != null) {
      if (isWord(words[slot], text, from, to)) {
        return (T) meanings[slot];
      }
      slot = (slot + 1) % SLOTS;
    }
    return null;
  }

  private static boolean isWord(byte[] word, byte[] text, int from, int to) {
    if (word.length != to - from) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (word[i] != lower(text[from + i])) {
        return false;
      }
    }
    return true;
  }

  private static int slot(byte[] text, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + lower(text[i]);
    }
    return (hash ^ (hash >>> 12)) & (SLOTS - 1);
  }

  private static byte lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? (byte) (letter + ('a' - 'A')) : letter;
  }
}
