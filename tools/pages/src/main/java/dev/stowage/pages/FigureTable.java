package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A table of figures on a page, which needs no scripts.
 *
 * <p>A script ({@code table.js}) makes it sortable and adds a filter. It reads the exact numbers
 * from the attribute {@code data-value}.
 *
 * @param <T> the rows
 */
public final class FigureTable<T> {

  private final String label;
  private final List<Column<T>> columns = new ArrayList<>();
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A column; texts are on the left. */
  private record Column<T>(String title, boolean isText, Function<T, Cell> cell) {}

  /**
   * A cell.
   *
   * @param value the number, as text, by which the rows are sorted; empty for texts
   * @param hint the full text; empty if the text is complete
   * @param link the address that the text links to; empty if there is none
   * @param shares the lengths of bars below the text, where 1 is the width of the column
   */
  public record Cell(String text, String value, String hint, String link, List<Double> shares) {

    public Cell {
      shares = List.copyOf(shares);
    }

    Cell(String text, String value, String hint, String link) {
      this(text, value, hint, link, List.of());
    }

    /** {@return any text} */
    public static Cell text(String text) {
      return new Cell(Printable.of(text), "", "", "");
    }

    /** {@return any text that links to an address} */
    public static Cell link(String text, String address) {
      return new Cell(Printable.of(text), "", "", address);
    }

    /** {@return a number of bytes, such as {@code 5.480 MiB}} */
    public static Cell bytes(long bytes) {
      return new Cell(ByteUnit.human(bytes), Long.toString(bytes), ByteUnit.exact(bytes), "");
    }

    /** {@return a difference of bytes, such as {@code +5.480 MiB}} */
    public static Cell growth(long bytes) {
      String sign = bytes > 0 ? "+" : bytes < 0 ? "-" : "";
      String exact = sign + ByteUnit.exact(Math.abs(bytes));
      return new Cell(sign + ByteUnit.human(Math.abs(bytes)), Long.toString(bytes), exact, "");
    }

    /** {@return a number of things} */
    public static Cell count(long count) {
      return new Cell(Numbers.grouped(count), Long.toString(count), "", "");
    }

    /** {@return a share with its text, such as {@code 12.5 %}; the share 1 is 100 %} */
    public static Cell share(String text, double share) {
      return new Cell(text, Text.of("%.9f", share), "", "");
    }

    /** {@return an empty cell} */
    public static Cell none() {
      return text("");
    }

    /** {@return this cell with bars of lengths from 0 to 1} */
    public Cell withBars(Double... lengths) {
      return new Cell(text, value, hint, link, List.of(lengths));
    }
  }

  /** Creates a table without columns and rows. */
  public FigureTable(String label) {
    this.label = label;
  }

  /** Adds a column of texts. */
  public FigureTable<T> text(String title, Function<T, String> text) {
    return left(title, row -> Cell.text(text.apply(row)));
  }

  /** Adds a column of texts with links or bars. */
  public FigureTable<T> left(String title, Function<T, Cell> cell) {
    columns.add(new Column<>(title, true, cell));
    return this;
  }

  /** Adds a column of numbers. */
  public FigureTable<T> number(String title, Function<T, Cell> cell) {
    columns.add(new Column<>(title, false, cell));
    return this;
  }

  /** Adds a column of numbers of bytes. */
  public FigureTable<T> bytes(String title, ToLongFunction<T> bytes) {
    return number(title, row -> Cell.bytes(bytes.applyAsLong(row)));
  }

  /** Adds a column of numbers of things. */
  public FigureTable<T> count(String title, ToLongFunction<T> count) {
    return number(title, row -> Cell.count(count.applyAsLong(row)));
  }

  public void add(T row) {
    rows.add(columns.stream().map(column -> column.cell.apply(row)).toList());
  }

  public FigureTable<T> addAll(List<T> more) {
    more.forEach(this::add);
    return this;
  }

  /** {@return the table as HTML} */
  String markup() {
    StringBuilder html =
        new StringBuilder("<div class=\"wide\"><table class=\"figures rows\" aria-label=\"")
            .append(MarkupText.escaped(label) + "\">\n<thead><tr>");
    for (Column<T> column : columns) {
      html.append(column.isText ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
          .append(MarkupText.escaped(column.title) + "</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : rows) {
      html.append("<tr>");
      for (int i = 0; i < columns.size(); i++) {
        append(row.get(i), columns.get(i).isText, html);
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody>\n</table></div>\n").toString();
  }

  private static void append(Cell cell, boolean isText, StringBuilder out) {
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
      out.append(Text.of("<i class=\"bar\" style=\"width:%.2f%%\"></i>", 100 * share));
    }
    out.append("</td>");
  }
}
