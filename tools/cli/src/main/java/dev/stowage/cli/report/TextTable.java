package dev.stowage.cli.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A table of text: the first column is aligned to the left, most others to the right. */
public final class TextTable {

  private static final String BETWEEN = "  ";

  /** Texts are not cut below this width. */
  private static final int LEAST_WIDTH = 24;

  private final List<String[]> rows = new ArrayList<>();
  private final Set<Integer> leftColumns = new HashSet<>();

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

  /** {@return true if the table has no rows} */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Aligns a column to the left. */
  void alignLeft(int column) {
    leftColumns.add(column);
  }

  /**
   * Prints the rows.
   *
   * @param out the output
   * @throws IOException if it cannot be written
   */
  public void print(Writer out) throws IOException {
    print(Integer.MAX_VALUE, out);
  }

  /**
   * Prints the rows within a width: texts of the first column, and of columns that are aligned to
   * the left, are cut in the middle. A table of many numbers can still be wider.
   */
  void print(int width, Writer out) throws IOException {
    for (String line : lines(width)) {
      out.write(line + "\n");
    }
  }

  /** {@return the lines of the table, without spaces at their ends} */
  List<String> lines(int width) {
    int[] widths = new int[rows.stream().mapToInt(row -> row.length).max().orElse(0)];
    for (String[] row : rows) {
      for (int c = 0; c < row.length; c++) {
        widths[c] = Math.max(widths[c], row[c].length());
      }
    }
    narrow(widths, width);
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private void narrow(int[] widths, int width) {
    int excess = Arrays.stream(widths).sum() + BETWEEN.length() * (widths.length - 1) - width;
    for (int c = widths.length - 1; c >= 0 && excess > 0; c--) {
      if (isLeft(c)) {
        int cut = Math.clamp(widths[c] - (long) LEAST_WIDTH, 0, excess);
        widths[c] -= cut;
        excess -= cut;
      }
    }
  }

  private boolean isLeft(int column) {
    return column == 0 || leftColumns.contains(column);
  }

  private String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < row.length; c++) {
      String cell = cut(row[c], widths[c]);
      String padding = " ".repeat(widths[c] - cell.length());
      line.append(c == 0 ? "" : BETWEEN).append(isLeft(c) ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }

  /** {@return a text without its middle, if it is longer than a column} */
  private static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    int start = width / 2;
    int end = text.length() - (width - start - 1);
    return text.substring(0, start) + "…" + text.substring(end);
  }
}
