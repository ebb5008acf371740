package dev.stowage.pages;

import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage.Curve;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The page of a sweep, whose content another process has written to a file. */
public final class SweepPage {

  /*
   * Each line of the file is an array of texts, whose first one is a kind. The lines have this
   * order; figures, rows and curves belong to the line above them.
   *
   *   conclusion FIGURE SENTENCE CONFIDENCE [COMMAND]   the figure as in a row
   *   fact TERM TEXT, note TEXT     the run
   *   heading TEXT, text TEXT
   *   figure TERM TEXT
   *   table LABEL TITLE...          a title that begins with # is that of a column of numbers
   *   row CELL...                   b 1024: bytes, c 5: a count, p 0.5: a share, n 3: a number, t: a text
   *   chart LABEL TITLE...
   *   curve NAME COLOUR VALUE...
   */

  private static final JsonFactory JSON = new JsonFactory();

  private final List<Fact> facts = new ArrayList<>();
  private Optional<Conclusion> conclusion = Optional.empty();
  private final List<String> notes = new ArrayList<>();
  private final List<List<String>> parts = new ArrayList<>();

  private SweepPage() {}

  /**
   * {@return the page of a file}
   *
   * @throws IOException if the file cannot be read or is not valid
   */
  public static FiguresPage read(String path) throws IOException {
    SweepPage page = new SweepPage();
    int number = 0;
    for (String line : Files.readAllLines(Path.of(path))) {
      number++;
      List<String> words = words(line);
      if (words.isEmpty() || words.size() < leastWords(words.getFirst())) {
        throw new MalformedFileException(path + ":" + number, "is not a part of a page");
      }
      page.add(words);
    }
    return page.build();
  }

  /** {@return the least number of words of a kind of lines} */
  private static int leastWords(String kind) {
    return switch (kind) {
      case "conclusion" -> 4;
      case "fact", "figure", "curve" -> 3;
      case "note", "heading", "text", "table", "row", "chart" -> 2;
      default -> Integer.MAX_VALUE;
    };
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.VALUE_STRING) {
        words.add(json.getString());
      }
    } catch (JacksonException e) {
      return List.of();
    }
    return words;
  }

  private void add(List<String> words) {
    switch (words.getFirst()) {
      case "conclusion" -> conclusion = Optional.of(conclusion(words));
      case "fact" -> facts.add(new Fact(words.get(1), words.get(2)));
      case "note" -> notes.add(words.get(1));
      default -> parts.add(words);
    }
  }

  private static Conclusion conclusion(List<String> words) {
    return new Conclusion(
        cell(words.get(1)).text(),
        words.get(2),
        words.get(3),
        words.size() > 4 ? Optional.of(words.get(4)) : Optional.empty());
  }

  private FiguresPage build() {
    RunFacts run = RunFacts.none().withFacts(facts).withNotes(notes);
    FiguresPage page =
        new FiguresPage(
            "Stowage: sweep", "Sweep", "Swept", conclusion.map(run::withConclusion).orElse(run));
    int next = 0;
    while (next < parts.size()) {
      List<String> part = parts.get(next);
      int end = next + 1;
      while (end < parts.size() && belongs(parts.get(end).getFirst(), part.getFirst())) {
        end++;
      }
      addPart(part, parts.subList(next + 1, end), page);
      next = end;
    }
    return page;
  }

  private static boolean belongs(String kind, String above) {
    return switch (kind) {
      case "figure" -> above.equals("figure");
      case "row" -> above.equals("table");
      case "curve" -> above.equals("chart");
      default -> false;
    };
  }

  private static void addPart(List<String> part, List<List<String>> lines, FiguresPage page) {
    switch (part.getFirst()) {
      case "heading" -> page.addHeading(part.get(1));
      case "text" -> page.addText(part.get(1));
      case "figure" -> {
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(part.get(1), part.get(2)));
        lines.forEach(line -> figures.add(new Figure(line.get(1), line.get(2))));
        page.addFigures(figures);
      }
      case "table" -> page.addTable(table(part, lines));
      case "chart" ->
          page.addChart(
              part.get(1),
              part.subList(2, part.size()),
              lines.stream().map(SweepPage::curve).toList());
      default -> throw new IllegalArgumentException("unknown kind: " + part.getFirst());
    }
  }

  private static Curve curve(List<String> line) {
    return new Curve(
        line.get(1),
        line.get(2),
        line.subList(3, line.size()).stream().map(Long::valueOf).toList());
  }

  private static FigureTable<List<String>> table(List<String> part, List<List<String>> rows) {
    FigureTable<List<String>> table = new FigureTable<>(part.get(1));
    for (int i = 2; i < part.size(); i++) {
      int column = i - 1;
      String title = part.get(i);
      if (title.startsWith("#")) {
        table.number(title.substring(1), row -> cell(row.get(column)));
      } else {
        table.left(title, row -> cell(row.get(column)));
      }
    }
    return table.addAll(rows);
  }

  private static Cell cell(String text) {
    String value = text.substring(Math.min(text.length(), 2));
    return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
      case 'b' -> Cell.bytes(Long.parseLong(value));
      case 'c' -> Cell.count(Long.parseLong(value));
      case 'p' -> {
        double share = Double.parseDouble(value);
        yield Cell.share(Numbers.excess(share), share);
      }
      case 'n' -> new Cell(value, value, "", "");
      case 't' -> Cell.text(value);
      default -> Cell.none();
    };
  }
}
