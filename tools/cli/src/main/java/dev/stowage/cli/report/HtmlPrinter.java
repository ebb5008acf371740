package dev.stowage.cli.report;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.Page;
import dev.stowage.pages.PageTable;
import dev.stowage.pages.PageTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Fact;
import dev.stowage.pages.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers as a page: the lines and tables that people see, and their pictures. */
public final class HtmlPrinter {

  private final Page page;

  /** The conclusion that the page starts with. */
  private Optional<Conclusion> opening = Optional.empty();

  private HtmlPrinter(Page page) {
    this.page = page;
  }

  /**
   * Writes the page of an answer.
   *
   * @param run the facts of the run, which are the last part of the page
   */
  public static void print(Answer answer, List<Fact> run, Writer out) throws IOException {
    Page page = new Page(Printable.of(answer.title()));
    new HtmlPrinter(page).add(answer);
    page.addRun(run);
    page.write(out);
  }

  private void add(Answer answer) {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First(String subject, Conclusion conclusion) -> add(subject, conclusion);
        case Answer.Line(String text) ->
            text.lines().filter(line -> !line.isBlank()).map(String::strip).forEach(page::addText);
        case Answer.Copy(String before, String line) -> addCopy(before, ShellLine.forOthers(line));
        case Answer.Picture picture -> picture.drawing().accept(page);
        case Answer.Field(_, Figure.Group(Answer group)) -> add(group);
        case Answer.Field _ -> {}
        case Table<?> table -> add(table);
      }
    }
  }

  private void add(String subject, Conclusion conclusion) {
    if (opening.isEmpty()) {
      opening =
          Optional.of(
              new Conclusion(
                  conclusion.figure(),
                  conclusion.sentence(),
                  conclusion.confidence(),
                  conclusion.command().map(ShellLine::forOthers)));
      page.addConclusion(opening.get());
    } else {
      page.addHeading(Printable.of(subject));
      page.addText(Printable.of(conclusion.sentence() + " " + conclusion.confidence()));
    }
  }

  private void addCopy(String before, String line) {
    if (!opening.flatMap(Conclusion::command).equals(Optional.of(line))) {
      page.addText(before.strip());
      page.addLine(Printable.of(line.strip()));
    }
  }

  /** Adds a table. A column without a title repeats the numbers before it in a unit. */
  private <T> void add(Table<T> table) {
    List<Table.Column<T>> shown = table.shownColumns();
    if (shown.isEmpty() || table.rows().isEmpty()) {
      return;
    }
    page.addHeading(sentenceCase(shown.getFirst().title()));
    List<Table.Column<T>> columns =
        shown.stream()
            .filter(column ->
                column.equals(shown.getFirst())
                    || !column.title().isEmpty()
                    || column.isText(table.rows()))
            .toList();
    List<List<Cell>> rows = new ArrayList<>();
    for (T row : table.rows()) {
      rows.add(columns.stream().map(column -> cell(column.cell().apply(row))).toList());
    }
    page.add(
        new PageTable(
            columns.stream()
                .map(column ->
                    new PageTable.Column(sentenceCase(column.title()), column.isText(table.rows())))
                .toList(),
            rows));
  }

  private static Cell cell(Figure figure) {
    return switch (figure) {
      case Figure.Bytes(long bytes) -> new Cell(ByteUnit.human(bytes), ByteUnit.exact(bytes));
      case Figure.OnPage(Cell cell, boolean _) -> cell;
      default -> new Cell(indented(figure.shown()), "");
    };
  }

  /** {@return a label with spaces that pages keep at its start, because it is a detail} */
  private static String indented(String label) {
    String text = label.stripLeading();
    return "\u2003".repeat((label.length() - text.length()) / 2) + text;
  }

  /** {@return a title of the terminal in the case of pages: {@code OWNER} is {@code Owner}} */
  private static String sentenceCase(String title) {
    String lower =
        title.equals(title.toUpperCase(Locale.ROOT)) ? title.toLowerCase(Locale.ROOT) : title;
    return lower.isEmpty()
        ? ""
        : lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1);
  }
}
