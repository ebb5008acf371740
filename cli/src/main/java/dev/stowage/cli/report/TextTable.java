package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of columns: the first one to the left, all others to the right. */
final class TextTable {

  private static final String BETWEEN = "  ";

  private final List<String[]> rows = new ArrayList<>();

  void row(String... cells) {
    rows.add(cells);
  }

  void row(List<String> cells) {
    rows.add(cells.toArray(String[]::new));
  }

  /** {@return the lines; none ends in a blank} */
  List<String> lines() {
    int[] widths = new int[rows.stream().mapToInt(row -> row.length).max().orElse(0)];
    for (String[] row : rows) {
      for (int c = 0; c < row.length; c++) {
        widths[c] = Math.max(widths[c], row[c].length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < row.length; c++) {
      String padding = " ".repeat(widths[c] - row[c].length());
      line.append(c == 0 ? row[c] + padding : BETWEEN + padding + row[c]);
    }
    return line.toString().stripTrailing();
  }
}
