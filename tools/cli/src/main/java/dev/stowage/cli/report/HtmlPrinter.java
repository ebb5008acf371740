package dev.stowage.cli.report;

import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers as a page: the lines and tables that people see, and their pictures. */
public final class HtmlPrinter {

  private final FiguresPage page;

  /** The lines of a paragraph that has not ended yet. */
  private final List<String> paragraph = new ArrayList<>();

  private HtmlPrinter(FiguresPage page) {
    this.page = page;
  }

  /**
   * Writes the page of an answer.
   *
   * @param made the participle for the content, such as {@code Compared}
   * @param run the facts of the run; their conclusion is that of the answer
   */
  public static void print(Answer answer, String made, RunFacts run, Writer out)
      throws IOException {
    Optional<Answer.First> first =
        answer.parts().stream()
            .filter(Answer.First.class::isInstance)
            .map(Answer.First.class::cast)
            .findFirst();
    String subject = Printable.of(first.map(Answer.First::subject).orElse(""));
    RunFacts facts = first.map(it -> run.withConclusion(it.conclusion())).orElse(run);
    FiguresPage page = new FiguresPage(subject, "Stowage", made, facts);
    HtmlPrinter printer = new HtmlPrinter(page);
    printer.add(answer);
    printer.endParagraph();
    page.write(out);
  }

  private void add(Answer answer) {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First _ -> {} // the page starts with it
        case Answer.Line(String text) -> text.lines().forEach(this::addLine);
        case Answer.Paste(String when, String line, String advice) -> {
          endParagraph();
          page.addText(
              sentenceCase(when) + (advice.isEmpty() ? ":" : ", " + Printable.of(advice) + ":"));
          page.addLine(Printable.of(line));
        }
        case Answer.Picture picture -> {
          endParagraph();
          picture.drawing().accept(page);
        }
        case Answer.Field(_, Figure.Group(Answer group)) -> add(group);
        case Answer.Field _ -> {}
        case Facts facts -> add(facts);
        case Table<?> table -> add(table);
      }
    }
  }

  private void addLine(String line) {
    if (line.isBlank()) {
      endParagraph();
    } else {
      paragraph.add(line.strip());
    }
  }

  private void endParagraph() {
    if (!paragraph.isEmpty()) {
      page.addText(String.join(" ", paragraph));
      paragraph.clear();
    }
  }

  private void add(Facts facts) {
    List<String> titles = facts.titles();
    List<Facts.Row> rows = facts.rows().stream().filter(row -> !row.label().isEmpty()).toList();
    if (rows.isEmpty()) {
      return;
    }
    addHeading(titles.getFirst());
    FigureTable<Facts.Row> table =
        new FigureTable<Facts.Row>(sentenceCase(titles.getFirst()))
            .text(sentenceCase(titles.getFirst()), row -> indented(row.label()));
    for (int i = 1; i < titles.size(); i++) {
      int figure = i - 1;
      // The column of bytes in a unit follows the column of bytes.
      if (!titles.get(i).isEmpty() || figure == 0) {
        table.number(
            sentenceCase(titles.get(i)),
            row -> figure < row.figures().size() ? cell(row.figures().get(figure)) : Cell.none());
      }
    }
    page.addTable(table.addAll(rows));
  }

  private <T> void add(Table<T> rows) {
    List<Table.Column<T>> columns = rows.shownColumns();
    if (columns.isEmpty() || rows.rows().isEmpty()) {
      return;
    }
    String title = columns.getFirst().title();
    addHeading(title);
    FigureTable<T> table = new FigureTable<>(sentenceCase(title));
    addColumns(rows, columns, table);
    page.addTable(table.addAll(rows.rows()));
  }

  /** Adds the columns of a table behind its first one to the table of a page. */
  static <T> void addColumns(Table<T> rows, FigureTable<T> table) {
    List<Table.Column<T>> columns = rows.shownColumns();
    addColumns(rows, columns.subList(1, columns.size()), table);
  }

  private static <T> void addColumns(
      Table<T> rows, List<Table.Column<T>> columns, FigureTable<T> table) {
    for (Table.Column<T> column : columns) {
      if (!column.title().isEmpty() || column.equals(rows.shownColumns().getFirst())) {
        boolean isText =
            rows.rows().stream()
                .map(column.cell())
                .filter(figure -> !(figure instanceof Figure.None || figure instanceof Figure.Null))
                .allMatch(Figure.Text.class::isInstance);
        if (isText) {
          table.left(sentenceCase(column.title()), row -> cell(column.cell().apply(row)));
        } else {
          table.number(sentenceCase(column.title()), row -> cell(column.cell().apply(row)));
        }
      }
    }
  }

  private void addHeading(String title) {
    endParagraph();
    if (!title.isEmpty()) {
      page.addHeading(sentenceCase(title));
    }
  }

  private static Cell cell(Figure figure) {
    return switch (figure) {
      case Figure.Bytes(long bytes) -> Cell.bytes(bytes);
      case Figure.InUnit(long bytes) -> Cell.bytes(bytes);
      case Figure.Rated(String text, double number) -> Cell.share(text, number);
      case Figure.Count(long number) -> Cell.count(number);
      case Figure.Share(double share) -> Cell.share(Numbers.percent(share), share);
      default -> Cell.text(figure.shown());
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
