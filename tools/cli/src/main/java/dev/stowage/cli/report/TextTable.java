package dev.stowage.cli.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A table of text: the first column is aligned to the left, all others to the right. */
public final class TextTable {

  private static final String BETWEEN = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /**
   * Adds a row.
   *
   * @param cells the cells, some of the last of which may be absent
   */
  public void row(String... cells) {
    rows.add(cells);
  }

  void row(List<String> cells) {
    rows.add(cells.toArray(String[]::new));
  }

  /**
   * Prints the rows.
   *
   * @param out the output
   * @throws IOException if it cannot be written
   */
  public void print(Writer out) throws IOException {
    for (String line : lines()) {
      out.write(line + "\n");
    }
  }

  /** {@return the lines of the table, without spaces at their ends} */
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
