package dev.stowage.pages;

import dev.stowage.pages.text.Text;
import java.util.List;

/** A table on a page; each row has a cell for each column. */
public record PageTable(List<Column> columns, List<List<Cell>> rows) implements PagePart {

  /** A column; texts are on the left. */
  public record Column(String title, boolean isText) {}

  /**
   * A cell.
   *
   * @param hint the full text; empty if the text is complete
   * @param link the address that the text links to; empty if there is none
   * @param shares the lengths of bars below the text, where 1 is the width of the column
   */
  public record Cell(String text, String hint, String link, List<Double> shares) {

    public Cell {
      shares = List.copyOf(shares);
    }

    /** Creates a cell with a text and a hint. */
    public Cell(String text, String hint) {
      this(text, hint, "", List.of());
    }

    private String markup(boolean isText) {
      String escaped = MarkupText.escaped(text);
      StringBuilder bars = new StringBuilder();
      for (double share : shares) {
        bars.append(Text.of("<i class=\"bar\" style=\"width:%.2f%%\"></i>", 100 * share));
      }
      return "<td"
          + (isText ? " class=\"text\"" : "")
          + (hint.isEmpty() ? ">" : " title=\"" + MarkupText.escaped(hint) + "\">")
          + (link.isEmpty()
              ? escaped
              : "<a href=\"" + MarkupText.escaped(link) + "\">" + escaped + "</a>")
          + bars
          + "</td>";
    }
  }

  public PageTable {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  @Override
  public String markup() {
    StringBuilder html =
        new StringBuilder("<div class=\"wide\"><table class=\"figures rows\">\n<thead><tr>");
    for (Column column : columns) {
      String name = column.title.isEmpty() ? "td" : "th scope=\"col\"";
      html.append("<" + name + (column.isText ? " class=\"text\">" : ">"))
          .append(MarkupText.escaped(column.title) + "</" + name.substring(0, 2) + ">");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : rows) {
      html.append("<tr>");
      for (int i = 0; i < columns.size(); i++) {
        html.append(row.get(i).markup(columns.get(i).isText));
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody>\n</table></div>\n").toString();
  }
}
