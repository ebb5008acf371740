package dev.stowage.cli.report;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Answers as a page: the lines and tables that people see, and their pictures. */
public final class HtmlPrinter {

  /** The least characters of a line that was cut at the width of a terminal. */
  private static final int LEAST_CUT = 60;

  private final FiguresPage page;

  /** The conclusion that the page starts with. */
  private final Optional<Conclusion> opening;

  private boolean isOpened;

  /** The lines of a paragraph that has not ended yet. */
  private final List<String> paragraph = new ArrayList<>();

  private HtmlPrinter(FiguresPage page, Optional<Conclusion> opening) {
    this.page = page;
    this.opening = opening;
  }

  /**
   * Writes the page of an answer.
   *
   * @param made the participle for the footer of the page, such as {@code Compared}
   * @param run the facts of the run; the page has the conclusion of the answer
   */
  public static void print(Answer answer, String made, RunFacts run, Writer out)
      throws IOException {
    page(answer, made, run).write(out);
  }

  /** {@return the page of an answer} */
  public static FiguresPage page(Answer answer, String made, RunFacts run) {
    // An answer that names no input has its figure as the title.
    String title =
        answer.title().isEmpty()
            ? answer.conclusion().map(Conclusion::figure).orElse(made)
            : answer.title();
    FiguresPage page =
        new FiguresPage(Printable.of(title), "Stowage", made, concluded(answer, run));
    HtmlPrinter printer = new HtmlPrinter(page, answer.conclusion());
    printer.add(answer);
    printer.endParagraph();
    return page;
  }

  /** {@return the facts of a run and of an answer, for the page of a picture} */
  public static RunFacts facts(Answer answer, RunFacts run) {
    Stream<RunFacts.Fact> facts =
        answer.parts().stream()
            .filter(Answer.Fact.class::isInstance)
            .map(Answer.Fact.class::cast)
            .map(fact -> new RunFacts.Fact(fact.term(), fact.text()));
    return concluded(answer, run).withFacts(Stream.concat(run.facts().stream(), facts).toList());
  }

  private static RunFacts concluded(Answer answer, RunFacts run) {
    return concluded(answer.conclusion(), run);
  }

  /** {@return the facts of a run with a conclusion; its command has no path of this machine} */
  static RunFacts concluded(Optional<Conclusion> conclusion, RunFacts run) {
    return conclusion
        .map(it ->
            run.withConclusion(
                new Conclusion(
                    it.figure(),
                    it.sentence(),
                    it.confidence(),
                    it.command().map(ShellLine::forOthers))))
        .orElse(run);
  }

  private void add(Answer answer) {
    for (Answer.Part part : answer.parts()) {
      switch (part) {
        case Answer.First(String subject, Conclusion conclusion) -> {
          if (isOpened || opening.isEmpty()) {
            endParagraph();
            page.addHeading(Printable.of(subject));
            page.addText(Printable.of(conclusion.sentence() + " " + conclusion.confidence()));
          }
          isOpened = true; // the page starts with it
        }
        case Answer.Line(String text) -> text.lines().forEach(this::addLine);
        case Answer.Fact(_, _, String line) -> {
          endParagraph();
          addLine(line);
          endParagraph();
        }
        case Answer.Copy(String before, String line) -> {
          if (!opening.flatMap(Conclusion::command).equals(Optional.of(line))) {
            addLine(before);
            endParagraph();
            page.addLine(Printable.of(line));
          }
        }
        case Answer.Paste(String when, String line, String advice) -> {
          endParagraph();
          page.addText(
              sentenceCase(when) + (advice.isEmpty() ? ":" : ", " + Printable.of(advice) + ":"));
          page.addLine(Printable.of(ShellLine.forOthers(line)));
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

  /** Adds a line. It continues the previous line if the width of the terminal cut that line. */
  private void addLine(String line) {
    boolean isContinued =
        !paragraph.isEmpty()
            && paragraph.getLast().length() >= LEAST_CUT
            && !paragraph.getLast().endsWith(".");
    if (line.isBlank() || !isContinued) {
      endParagraph();
    }
    if (!line.isBlank()) {
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
    List<Table.Column<T>> columns = rows.pageColumns();
    if (columns.isEmpty() || rows.rows().isEmpty()) {
      return;
    }
    addHeading(columns.getFirst().pageTitle());
    page.addTable(table(rows));
  }

  /** {@return a table for a page} */
  static <T> FigureTable<T> table(Table<T> rows) {
    List<Table.Column<T>> columns = rows.pageColumns();
    FigureTable<T> table = new FigureTable<>(sentenceCase(columns.getFirst().pageTitle()));
    for (Table.Column<T> column : columns) {
      String title = sentenceCase(column.pageTitle());
      if (!title.isEmpty() || column.equals(columns.getFirst())) {
        Function<T, Cell> cell = row -> cell(column.cell().apply(row));
        if (rows.rows().stream().map(cell).allMatch(Cell.none()::equals)) {
          continue; // the terminal has its text elsewhere
        }
        if (rows.rows().stream().map(cell).allMatch(it -> it.value().isEmpty())) {
          table.left(title, cell);
        } else {
          table.number(title, cell);
        }
      }
    }
    return table.addAll(rows.rows());
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
      case Figure.Count(long number) -> Cell.count(number);
      case Figure.OnPage(Figure _, Cell cell) -> cell;
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
