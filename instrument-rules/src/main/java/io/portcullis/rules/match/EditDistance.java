package io.portcullis.rules.match;

import java.util.Arrays;

/** Computes the edit distance (optimal string alignment) of two names. */
public final class EditDistance {
  private EditDistance() {}

  /** The minimum number of characters to insert, delete, replace, or swap with the next one. */
  public static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    Arrays.setAll(edits[0], column -> column);
    for (int i = 1; i <= from.length(); i++) {
      edits[i][0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        edits[i][j] =
            Math.min(
                edits[i - 1][j - 1] + replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        if (isSwap(from, i, to, j)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[from.length()][to.length()];
  }

  private static boolean isSwap(String from, int i, String to, int j) {
    return i > 1
        && j > 1
        && from.charAt(i - 1) == to.charAt(j - 2)
        && from.charAt(i - 2) == to.charAt(j - 1);
  }
}
