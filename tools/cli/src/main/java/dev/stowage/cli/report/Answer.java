package dev.stowage.cli.report;

import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The answer of a command for one input: lines and tables for people, named figures for programs.
 *
 * <p>A command builds an answer once. {@link TerminalPrinter}, {@link JsonPrinter}, {@link
 * CsvPrinter} and {@link HtmlPrinter} print it; none of them knows its subject.
 */
public final class Answer {

  /** A part of an answer. */
  sealed interface Part permits First, Line, Fact, Copy, Paste, Picture, Field, Facts, Table {}

  /** The answer in words: its subject and its conclusion. */
  record First(String subject, Conclusion conclusion) implements Part {}

  /** A line for people. */
  record Line(String text) implements Part {}

  /**
   * A fact on the work. The page of a picture shows it next to the command.
   *
   * @param line the line for people; empty if they see it on pages only
   */
  record Fact(String term, String text, String line) implements Part {}

  /**
   * A line to copy, such as a setting, below a line for people. Pages omit both if the conclusion
   * has the same line to copy.
   */
  record Copy(String before, String line) implements Part {}

  /**
   * A setting or a command that remedies something.
   *
   * @param when when it helps, such as {@code now}
   * @param advice another thing to do; empty if there is none
   */
  record Paste(String when, String line, String advice) implements Part {}

  /** A picture, which only pages have. */
  record Picture(Consumer<FiguresPage> drawing) implements Part {}

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

  /** Adds a setting or a command that remedies something, and when it helps. */
  Answer paste(String when, String line, String advice) {
    parts.add(new Paste(when, line, advice));
    return this;
  }

  /** Adds a fact. It is a line for people: {@code Never freed: 768 bytes.} */
  Answer fact(String term, String text) {
    return fact(
        term,
        text,
        term.substring(0, 1).toUpperCase(Locale.ROOT) + term.substring(1) + ": " + text + ".");
  }

  /** Adds the meaning of a word in a table, in a line of its own: {@code over: reserved over …}. */
  Answer legend(String word, String meaning) {
    return fact(word, meaning, word + ": " + meaning);
  }

  /** Adds a fact with its line for people; empty if only pages have it. */
  Answer fact(String term, String text, String line) {
    parts.add(new Fact(term, text, line));
    return this;
  }

  /** Adds a line to copy, below a line for people. */
  Answer copy(String before, String line) {
    parts.add(new Copy(before, line));
    return this;
  }

  /** Adds a picture, which only pages have. */
  Answer picture(Consumer<FiguresPage> drawing) {
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
  Answer lines(List<String> lines) {
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
    parts.add(facts);
    return this;
  }

  Answer table(Table<?> table) {
    parts.add(table);
    return this;
  }

  /** Adds the parts of another answer. */
  Answer all(Answer other) {
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
    return parts.stream()
        .flatMap(part ->
            switch (part) {
              case Field field -> Stream.of(field);
              case Facts facts -> facts.fields().stream();
              case First _, Line _, Fact _, Copy _, Paste _, Picture _, Table<?> _ ->
                  Stream.<Field>of();
            })
        .toList();
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

  /** {@return the title of a page} */
  String title() {
    return !title.isEmpty() || parts.isEmpty() || !(parts.getFirst() instanceof First first)
        ? title
        : first.subject();
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
