package io.portcullis.agent.cli.remote;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns. The last column is never padded, so that a narrow terminal breaks it alone. */
final class TextTable {
  private TextTable() {}

  static String of(List<String> titles, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(titles);
    all.addAll(rows);
    StringBuilder text = new StringBuilder();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column));
        if (column < row.size() - 1) {
          line.append(" ".repeat(width(all, column) - row.get(column).length() + 2));
        }
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
