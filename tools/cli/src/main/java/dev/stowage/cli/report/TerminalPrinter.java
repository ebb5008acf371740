package dev.stowage.cli.report;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** An answer as lines and tables for people. */
final class TerminalPrinter {

  private static final String INDENT = "  ";

  private final int width;
  private boolean hasAnswer;
  private boolean hasPrinted;
  private TextTable table = new TextTable();

  /** The facts that the last rows of the table show, if there are any. */
  private Facts aligned = new Facts("");

  /**
   * Creates a printer.
   *
   * @param width the columns of the terminal
   */
  TerminalPrinter(int width) {
    this.width = width;
  }

  /** {@return the lines of an answer in full, for a page} */
  static String text(Answer answer) {
    StringWriter lines = new StringWriter();
    try {
      new TerminalPrinter(Integer.MAX_VALUE).print(answer, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not throw it
    }
    return lines.toString();
  }

  /**
   * Prints an answer, with a blank line before all but the first one; nothing if the answer is for
   * programs only.
   */
  void print(Answer answer, Writer out) throws IOException {
    StringWriter lines = new StringWriter();
    hasPrinted = false;
    add(answer, lines);
    flush(lines);
    if (hasPrinted) {
      out.write(hasAnswer ? "\n" : "");
      out.write(lines.toString());
      hasAnswer = true;
    }
  }

  private void add(Answer answer, Writer out) throws IOException {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First(String subject, Conclusion conclusion) -> {
          String sentence = Printable.of(conclusion.sentence());
          print(subject.isEmpty() ? sentence : Printable.of(subject) + ": " + sentence, out);
          print(Printable.of(conclusion.confidence()), out);
        }
        case Answer.Line(String text) -> print(text, out);
        case Answer.Fact(_, _, String line) -> {
          if (!line.isEmpty()) {
            print(line, out);
          }
        }
        case Answer.Copy(String before, String line) -> {
          print(before, out);
          print(line, out);
        }
        case Answer.Paste(String when, String line, String advice) ->
            print(
                Text.of(
                    "  %-18s %s%s",
                    when + ":",
                    Printable.of(line),
                    advice.isEmpty() ? "" : " (" + Printable.of(advice) + ")"),
                out);
        case Answer.Picture _ -> {}
        case Answer.Field(_, Figure.Group(Answer group)) -> add(group, out);
        case Answer.Field _ -> {}
        case Facts facts -> {
          if (!facts.alignsWith(aligned)) {
            flush(out);
          }
          aligned = facts;
          add(facts);
        }
        case Table<?> rows -> {
          flush(out);
          add(rows);
          flush(out);
        }
      }
    }
  }

  private void print(String line, Writer out) throws IOException {
    flush(out);
    out.write(line + "\n");
    hasPrinted = true;
  }

  private void flush(Writer out) throws IOException {
    table.print(width, out);
    hasPrinted |= !table.isEmpty();
    table = new TextTable();
  }

  /** Starts a table with a blank line before it. */
  private void begin(List<String> titles) {
    if (hasPrinted || !table.isEmpty()) {
      table.row("");
    }
    table.row(titles.stream().map(Printable::of).toList());
  }

  private void add(Facts facts) {
    begin(facts.titles());
    for (Facts.Row row : facts.rows()) {
      if (row.figures().isEmpty()) {
        table.line(INDENT + Printable.of(row.label()));
      } else if (!row.label().isEmpty()) {
        List<String> cells = new ArrayList<>();
        cells.add(INDENT + Printable.of(row.label()));
        row.figures().forEach(figure -> cells.add(figure.shown()));
        table.row(cells);
      }
    }
  }

  private <T> void add(Table<T> rows) {
    List<Table.Column<T>> columns = rows.shownColumns();
    if (columns.isEmpty() || (rows.terminalRows().isEmpty() && !rows.rows().isEmpty())) {
      return;
    }
    List<String> titles = new ArrayList<>(columns.stream().map(Table.Column::title).toList());
    rows.groupTitle().ifPresent(title -> titles.set(0, title));
    begin(titles);
    String group = "";
    for (T row : rows.terminalRows()) {
      String ofRow = rows.group(row).map(Figure::shown).orElse("");
      if (!ofRow.equals(group)) {
        table.line(INDENT + ofRow);
      }
      group = ofRow;
      String indent = group.isEmpty() ? INDENT : INDENT + INDENT;
      List<String> cells = new ArrayList<>();
      for (Table.Column<T> column : columns) {
        String cell = column.cell().apply(row).shown();
        cells.add(cells.isEmpty() ? indent + cell : cell);
      }
      table.row(cells);
    }
    rows.cutColumns().forEach(table::cut);
    table.require(rows.requiredCount());
    if (rows.keepsLabels()) {
      table.keepLabels();
    }
    if (rows.endsInText()) {
      table.alignLeft(columns.size() - 1);
    }
  }
}
