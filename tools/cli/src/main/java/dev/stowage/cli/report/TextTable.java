package dev.stowage.cli.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A table of text: the first column is aligned to the left, most others to the right. */
final class TextTable {

  private static final String BETWEEN = "  ";

  /** Texts are not cut below this width. */
  private static final int LEAST_WIDTH = 24;

  /** Names in other columns are not cut below this width. */
  private static final int LEAST_NAME_WIDTH = 14;

  /** Texts of the first column keep this width if columns can be left out. */
  private static final int KEPT_WIDTH = 36;

  /** Texts of at most this width get no line of their own. */
  private static final int SHORT_WIDTH = 12;

  /** A row, or a line of text that has the width of the table. */
  private record Row(List<String> cells, boolean isLine) {}

  private final List<Row> rows = new ArrayList<>();
  private final Set<Integer> leftColumns = new HashSet<>();
  private final Set<Integer> cutColumns = new TreeSet<>();
  private int leastLabelWidth = LEAST_WIDTH;
  private int requiredCount = Integer.MAX_VALUE;

  /**
   * Adds a row.
   *
   * @param cells the cells; some of the last cells may be absent
   */
  void row(String... cells) {
    row(List.of(cells));
  }

  void row(List<String> cells) {
    rows.add(new Row(List.copyOf(cells), false));
  }

  /** Adds a text that may be longer than the first column. */
  void line(String text) {
    rows.add(new Row(List.of(text), true));
  }

  /** {@return true if the table has no rows} */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Aligns a column to the left. */
  void alignLeft(int column) {
    leftColumns.add(column);
  }

  /** Never cuts texts of the first column that fit on a line of their own. */
  void keepLabels() {
    leastLabelWidth = Integer.MAX_VALUE;
  }

  /** Cuts names in a column that is aligned to the right. */
  void cut(int column) {
    cutColumns.add(column);
  }

  /** Leaves out columns after the first ones if the table is too wide, the last column first. */
  void require(int count) {
    requiredCount = count;
  }

  /**
   * Prints the rows within a width. Texts in the first column, and in columns that are aligned to
   * the left, are cut in the middle. If the numbers leave too little space for a text in the first
   * column, the text gets a line of its own. A table of many numbers can still be wider.
   */
  void print(int width, Writer out) throws IOException {
    for (String line : lines(width)) {
      out.write(line + "\n");
    }
  }

  /** {@return the lines of the table, without spaces at their ends} */
  List<String> lines(int width) {
    int[] widths = fitting(widths(), width);
    narrow(widths, width);
    return rows.stream().flatMap(row -> lines(row, widths, width)).toList();
  }

  private Stream<String> lines(Row row, int[] widths, int width) {
    String label = row.cells().getFirst();
    if (!row.isLine() && (label.length() <= widths[0] || widths[0] >= leastLabelWidth)) {
      return Stream.of(line(row.cells(), widths));
    }
    List<String> others = new ArrayList<>(row.cells());
    others.set(0, "");
    return Stream.concat(
        Stream.of(cut(label, width)),
        Stream.of(line(others, widths)).filter(line -> !line.isEmpty()));
  }

  private int[] widths() {
    int[] widths = new int[rows.stream().mapToInt(row -> row.cells().size()).max().orElse(0)];
    for (Row row : rows) {
      for (int c = 0; c < row.cells().size() && !row.isLine(); c++) {
        widths[c] = Math.max(widths[c], row.cells().get(c).length());
      }
    }
    return widths;
  }

  /** {@return the widths of the columns that remain} */
  private int[] fitting(int[] widths, int width) {
    int count = widths.length;
    while (count > requiredCount
        && total(widths, count) - Math.max(0, widths[0] - KEPT_WIDTH) > width) {
      count--;
    }
    return Arrays.copyOf(widths, count);
  }

  /** {@return the width of the first columns} */
  private static int total(int[] widths, int count) {
    return Arrays.stream(widths, 0, count).sum() + BETWEEN.length() * Math.max(0, count - 1);
  }

  private void narrow(int[] widths, int width) {
    int excess = total(widths, widths.length) - width;
    for (int c = widths.length - 1; c >= 0 && excess > 0; c--) {
      if (isLeft(c)) {
        excess -= cut(widths, c, c == 0 ? leastLabelWidth : LEAST_WIDTH, excess);
      }
    }
    for (int c : cutColumns) {
      excess -= cut(widths, c, LEAST_NAME_WIDTH, excess);
    }
    if (0 < excess && excess <= widths[0] && widths[0] > SHORT_WIDTH) {
      widths[0] -= excess;
    }
  }

  /** Makes a column narrower and {@return by how much} */
  private static int cut(int[] widths, int column, int leastWidth, int excess) {
    int cut = Math.clamp((long) widths[column] - leastWidth, 0, Math.max(0, excess));
    widths[column] -= cut;
    return cut;
  }

  private boolean isLeft(int column) {
    return column == 0 || leftColumns.contains(column);
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < Math.min(cells.size(), widths.length); c++) {
      String cell = cut(cells.get(c), widths[c]);
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
    return text.substring(0, start - (isInPair(text, start) ? 1 : 0))
        + "…"
        + text.substring(end + (isInPair(text, end) ? 1 : 0));
  }

  /** {@return true if an index is between the two parts of a character} */
  private static boolean isInPair(String text, int index) {
    return index < text.length() && Character.isLowSurrogate(text.charAt(index));
  }
}
