package dev.stowage.cli.report;

import dev.stowage.pages.Page;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The answer of a command for one input: lines and tables for people, named figures for programs.
 *
 * <p>A command builds an answer once. {@link TerminalPrinter}, {@link JsonPrinter}, {@link
 * CsvPrinter} and {@link HtmlPrinter} print it; none of them knows its subject.
 */
public final class Answer {

  /** A part of an answer. */
  sealed interface Part permits First, Line, Copy, Picture, Field, Table {}

  /** The answer in words: its subject and its conclusion. */
  record First(String subject, Conclusion conclusion) implements Part {}

  /** A line for people. */
  record Line(String text) implements Part {}

  /**
   * A line to copy, such as a setting, below a line for people. Pages omit both if the conclusion
   * has the same line to copy.
   */
  record Copy(String before, String line) implements Part {}

  /** A picture, which only pages have. */
  record Picture(Consumer<Page> drawing) implements Part {}

  /** A figure with a name for programs. */
  record Field(String name, Figure figure) implements Part {}

  private final List<Part> parts = new ArrayList<>();
  private final List<Table<?>> csv = new ArrayList<>();
  private String title = "";

  /**
   * Adds the answer in words for people: the subject and the sentence, and below them the
   * confidence. It is the first part. The next parts are the evidence.
   *
   * @param subject the input; empty if the sentence names it
   */
  Answer conclusion(String subject, Conclusion conclusion) {
    parts.add(new First(subject, conclusion));
    return this;
  }

  /** Sets the title of the page, if it is not the input that the answer is about. */
  Answer titled(String newTitle) {
    title = newTitle;
    return this;
  }

  /** Adds a fact as a line for people: {@code Never freed: 768 bytes.} */
  Answer fact(String term, String text) {
    String start = term.substring(0, 1).toUpperCase(Locale.ROOT) + term.substring(1);
    return line("%s: %s.", start, text);
  }

  /** Adds a line to copy, below a line for people. */
  Answer copy(String before, String line) {
    parts.add(new Copy(before, line));
    return this;
  }

  /** Adds a picture, which only pages have. */
  Answer picture(Consumer<Page> drawing) {
    parts.add(new Picture(drawing));
    return this;
  }

  /** Adds a line for people, in the locale of programs. */
  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  Answer line(String format, Object... values) {
    parts.add(new Line(Text.of(format, values)));
    return this;
  }

  /** Adds lines for people. */
  public Answer lines(List<String> lines) {
    lines.forEach(line -> parts.add(new Line(line)));
    return this;
  }

  /** Adds a figure for programs. */
  Answer field(String name, Figure figure) {
    parts.add(new Field(name, figure));
    return this;
  }

  /** Adds a number for programs. */
  Answer field(String name, long number) {
    return field(name, Figure.count(number));
  }

  /** Adds a text for programs. */
  Answer field(String name, String text) {
    return field(name, Figure.text(text));
  }

  /** Adds a condition for programs. */
  Answer field(String name, boolean holds) {
    return field(name, new Figure.Flag(holds));
  }

  /** Adds an object for programs. People see its lines and tables as a part of this answer. */
  Answer group(String name, Consumer<Answer> content) {
    return field(name, Figure.group(content));
  }

  /** Adds an array of objects for programs. Each object is made when it is printed. */
  <T> Answer groups(String name, List<T> values, BiConsumer<T, Answer> content) {
    return field(
        name,
        Figure.sequence(values, value -> Figure.group(group -> content.accept(value, group))));
  }

  Answer facts(Facts facts) {
    parts.addAll(facts.fields());
    return table(facts.table());
  }

  Answer table(Table<?> table) {
    parts.add(table);
    return this;
  }

  /** {@return an answer with the parts of others} */
  public static Answer of(List<Answer> answers) {
    Answer all = new Answer();
    answers.forEach(all::all);
    return all;
  }

  /** Adds the parts of another answer. */
  Answer all(Answer other) {
    title = title.isEmpty() ? other.title : title;
    parts.addAll(other.parts);
    return this;
  }

  /** {@return the figures for programs, without lines and tables; groups keep their own} */
  Answer figures() {
    Answer figures = new Answer();
    figures.parts.addAll(fields());
    return figures;
  }

  /** {@return the figures for programs, without tables} */
  List<Field> fields() {
    return parts.stream().filter(Field.class::isInstance).map(Field.class::cast).toList();
  }

  /** Adds a table that is printed as CSV. All tables have the same columns. */
  Answer csv(Table<?> table) {
    csv.add(table);
    return this;
  }

  /** {@return the figure with a name for programs; none if it is absent} */
  Figure figure(String name) {
    return fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::figure)
        .findFirst()
        .orElseGet(Figure::none);
  }

  /** {@return the parts, in their order} */
  List<Part> parts() {
    return parts;
  }

  /**
   * {@return the title of a page: the answer's title, the input without its folder, or the figure}
   */
  String title() {
    if (!title.isEmpty() || parts.isEmpty() || !(parts.getFirst() instanceof First first)) {
      return title;
    }
    String subject = first.subject();
    return subject.isEmpty()
        ? first.conclusion().figure()
        : subject.substring(subject.lastIndexOf('/') + 1);
  }

  /** {@return the answer in words, with the command to run next; empty if it is not the start} */
  public Optional<Conclusion> conclusion() {
    return !parts.isEmpty() && parts.getFirst() instanceof First first
        ? Optional.of(first.conclusion())
        : Optional.empty();
  }

  /** {@return the tables that are printed as CSV} */
  List<Table<?>> csv() {
    return csv;
  }
}
