package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of figures on a page, which needs no scripts.
 *
 * <p>A script ({@code figures.js}) makes it sortable and adds a filter. It reads the exact numbers
 * from the attribute {@code data-value}.
 */
public final class FigureTable {

  private final String label;
  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param title the title
   * @param isText true for texts, which are on the left
   */
  public record Column(String title, boolean isText) {

    /**
     * {@return a column of texts}
     *
     * @param title the title
     */
    public static Column text(String title) {
      return new Column(title, true);
    }

    /**
     * {@return a column of numbers}
     *
     * @param title the title
     */
    public static Column number(String title) {
      return new Column(title, false);
    }
  }

  /**
   * A cell.
   *
   * @param text the text
   * @param value the number, as text, by which the rows are sorted; empty for texts
   * @param hint the full text; empty if the text is complete
   * @param link the address that the text links to; empty if there is none
   * @param shares the lengths of bars below the text, where 1 is the width of the column
   */
  public record Cell(String text, String value, String hint, String link, List<Double> shares) {

    /** Creates a cell. */
    public Cell {
      shares = List.copyOf(shares);
    }

    /**
     * {@return a text}
     *
     * @param text any text
     */
    public static Cell text(String text) {
      return new Cell(Printable.of(text), "", "", "", List.of());
    }

    /**
     * {@return a text that links to an address}
     *
     * @param text any text
     * @param address the address
     */
    public static Cell link(String text, String address) {
      return new Cell(Printable.of(text), "", "", address, List.of());
    }

    /**
     * {@return a number of bytes, such as {@code 5.480 MiB}}
     *
     * @param bytes the number
     */
    public static Cell bytes(long bytes) {
      return new Cell(
          ByteUnit.human(bytes), Long.toString(bytes), ByteUnit.exact(bytes), "", List.of());
    }

    /**
     * {@return a difference of bytes, such as {@code +5.480 MiB}}
     *
     * @param bytes the number
     */
    public static Cell growth(long bytes) {
      String sign = bytes > 0 ? "+" : bytes < 0 ? "-" : "";
      String exact = sign + ByteUnit.exact(Math.abs(bytes));
      return new Cell(
          sign + ByteUnit.human(Math.abs(bytes)), Long.toString(bytes), exact, "", List.of());
    }

    /**
     * {@return a number of things}
     *
     * @param count the number
     */
    public static Cell count(long count) {
      return new Cell(Numbers.grouped(count), Long.toString(count), "", "", List.of());
    }

    /**
     * {@return a share, such as {@code 12.5 %}}
     *
     * @param text the share as text
     * @param share 1 is 100 %
     */
    public static Cell share(String text, double share) {
      return new Cell(text, String.format(Locale.ROOT, "%.9f", share), "", "", List.of());
    }

    /** {@return an empty cell} */
    public static Cell none() {
      return text("");
    }

    /**
     * {@return this cell with bars}
     *
     * @param lengths the length of each bar, from 0 to 1
     */
    public Cell withBars(double... lengths) {
      List<Double> bars = new ArrayList<>();
      for (double length : lengths) {
        bars.add(length);
      }
      return new Cell(text, value, hint, link, bars);
    }
  }

  /**
   * Creates an empty table.
   *
   * @param label the name of the table
   * @param columns the columns
   */
  public FigureTable(String label, List<Column> columns) {
    this.label = label;
    this.columns = List.copyOf(columns);
  }

  /**
   * Adds a row.
   *
   * @param cells a cell for each column
   */
  public void add(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the numbers of cells and columns differ: cells=%d, columns=%d",
              cells.size(),
              columns.size()));
    }
    rows.add(List.copyOf(cells));
  }

  /**
   * Adds a row without figures.
   *
   * @param name the first cell
   * @param reason the last cell, without the name in front of it
   */
  public void add(String name, String reason) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.text(name));
    String prefix = name + ": ";
    while (cells.size() < columns.size() - 1) {
      cells.add(Cell.none());
    }
    cells.add(Cell.text(reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason));
    add(cells);
  }

  /** {@return the number of rows} */
  public int rowCount() {
    return rows.size();
  }

  void write(Writer out) throws IOException {
    out.append("<div class=\"wide\"><table class=\"figures rows\" aria-label=\"")
        .append(MarkupText.escaped(label))
        .append("\">\n<thead><tr>");
    for (Column column : columns) {
      out.append(column.isText ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
          .append(MarkupText.escaped(column.title))
          .append("</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : rows) {
      out.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        write(row.get(i), columns.get(i).isText, out);
      }
      out.append("</tr>\n");
    }
    out.append("</tbody>\n</table></div>\n");
  }

  private static void write(Cell cell, boolean isText, Writer out) throws IOException {
    out.append(isText ? "<td class=\"text\"" : "<td");
    if (!cell.value.isEmpty()) {
      out.append(" data-value=\"" + cell.value + "\"");
    }
    if (!cell.hint.isEmpty()) {
      out.append(" title=\"" + MarkupText.escaped(cell.hint) + "\"");
    }
    out.append(">");
    String text = MarkupText.escaped(cell.text);
    if (cell.link.isEmpty()) {
      out.append(text);
    } else {
      out.append("<a href=\"" + MarkupText.escaped(cell.link) + "\">" + text + "</a>");
    }
    for (double share : cell.shares) {
      out.append(
          String.format(Locale.ROOT, "<i class=\"bar\" style=\"width:%.2f%%\"></i>", 100 * share));
    }
    out.append("</td>");
  }
}
