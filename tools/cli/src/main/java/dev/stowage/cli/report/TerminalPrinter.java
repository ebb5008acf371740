package dev.stowage.cli.report;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** An answer as lines and tables for people. */
final class TerminalPrinter {

  private static final String INDENT = "  ";

  private final int width;
  private boolean hasAnswer;
  private List<String> lines = new ArrayList<>();

  /**
   * Creates a printer.
   *
   * @param width the columns of the terminal
   */
  TerminalPrinter(int width) {
    this.width = width;
  }

  /**
   * Prints an answer, with a blank line before all but the first one; nothing if the answer is for
   * programs only.
   */
  void print(Answer answer, Writer out) throws IOException {
    lines = new ArrayList<>();
    add(answer);
    if (!lines.isEmpty()) {
      out.write(hasAnswer ? "\n" : "");
      for (String line : lines) {
        out.write(line + "\n");
      }
      hasAnswer = true;
    }
  }

  private void add(Answer answer) {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First(String subject, Conclusion conclusion) -> {
          String sentence = Printable.of(conclusion.sentence());
          lines.add(subject.isEmpty() ? sentence : Printable.of(subject) + ": " + sentence);
          lines.add(Printable.of(conclusion.confidence()));
        }
        case Answer.Line(String text) -> lines.add(text);
        case Answer.Copy(String before, String line) -> {
          lines.add(before);
          lines.add(Printable.of(line));
        }
        case Answer.Picture _ -> {}
        case Answer.Field(_, Figure.Group(Answer group)) -> add(group);
        case Answer.Field _ -> {}
        case Table<?> table -> add(table);
      }
    }
  }

  /** Adds a table, with a blank line before it. */
  private <T> void add(Table<T> rows) {
    List<Table.Column<T>> columns = rows.shownColumns();
    if (columns.isEmpty() || (rows.terminalRows().isEmpty() && !rows.rows().isEmpty())) {
      return;
    }
    TextTable table = new TextTable(rows.keepsLabels(), rows.endsInText());
    table.row(columns.stream().map(column -> Printable.of(column.title())).toList());
    for (T row : rows.terminalRows()) {
      List<String> cells = new ArrayList<>();
      for (Table.Column<T> column : columns) {
        cells.add((cells.isEmpty() ? INDENT : "") + column.cell().apply(row).shown());
      }
      table.row(cells);
    }
    for (int c = 1; c < columns.size(); c++) {
      if (columns.get(c).isText(rows.terminalRows())) {
        table.text(c);
      }
    }
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.addAll(table.lines(width));
  }
}
