package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A table of text: the first column is aligned to the left, most others to the right. */
final class TextTable {

  private static final String BETWEEN = "  ";

  /** Labels are not cut below this width: they get a line of their own. */
  private static final int LEAST_LABEL = 24;

  /** Labels of at most this width get no line of their own. */
  private static final int SHORT_LABEL = 12;

  /** Texts in other columns are not cut below this width. */
  private static final int LEAST_TEXT = 14;

  private final boolean keepsLabels;
  private final boolean endsInText;
  private final List<List<String>> rows = new ArrayList<>();
  private final TreeSet<Integer> texts = new TreeSet<>();

  /**
   * Creates a table without rows.
   *
   * @param keepsLabels true if labels are never cut
   * @param endsInText true if the last column is aligned to the left
   */
  TextTable(boolean keepsLabels, boolean endsInText) {
    this.keepsLabels = keepsLabels;
    this.endsInText = endsInText;
  }

  /** Adds a row. A row with one cell, or with no other text, has the width of the table. */
  void row(List<String> cells) {
    boolean isLine = cells.stream().skip(1).allMatch(String::isEmpty);
    rows.add(isLine ? cells.subList(0, 1) : cells);
  }

  /** Declares that a column has texts, which can be cut. */
  void text(int column) {
    texts.add(column);
  }

  /**
   * {@return the lines of the table, without spaces at their ends}
   *
   * <p>If the table is too wide, texts are cut in the middle. A label for which the numbers leave
   * too little space gets a line of its own. A table of many numbers can still be wider.
   */
  List<String> lines(int width) {
    int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(1)];
    for (List<String> row : rows) {
      for (int c = 0; c < row.size() && row.size() > 1; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    int excess = Arrays.stream(widths).sum() + BETWEEN.length() * (widths.length - 1) - width;
    excess -= cut(widths, 0, keepsLabels ? widths[0] : LEAST_LABEL, excess);
    for (int c : texts) {
      excess -= cut(widths, c, LEAST_TEXT, excess);
    }
    boolean isApart = 0 < excess && excess <= widths[0] && widths[0] > SHORT_LABEL;
    widths[0] -= isApart ? excess : 0;
    return rows.stream().flatMap(row -> lines(row, widths, width, isApart)).toList();
  }

  /** Makes a column narrower and {@return by how much} */
  private static int cut(int[] widths, int column, int leastWidth, int excess) {
    int cut = Math.clamp((long) widths[column] - leastWidth, 0, Math.max(0, excess));
    widths[column] -= cut;
    return cut;
  }

  private Stream<String> lines(List<String> row, int[] widths, int width, boolean isApart) {
    String label = row.getFirst();
    if (row.size() == 1) {
      return Stream.of(cut(label, width));
    }
    if (label.length() <= widths[0] || !isApart) {
      return Stream.of(line(row, widths));
    }
    List<String> others = new ArrayList<>(row);
    others.set(0, "");
    return Stream.of(cut(label, width), line(others, widths));
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < cells.size(); c++) {
      String cell = cut(cells.get(c), widths[c]);
      String padding = " ".repeat(widths[c] - cell.length());
      boolean isLeft = c == 0 || (endsInText && c == widths.length - 1);
      line.append(c == 0 ? "" : BETWEEN).append(isLeft ? cell + padding : padding + cell);
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
