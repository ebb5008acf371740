package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Figures below each other with a title, such as the peaks of a replay. Programs read the first
 * figure of a row.
 */
final class Facts {

  /**
   * A figure and others beside it.
   *
   * @param name the name for programs; empty if the figure is for people only
   * @param label the label for people; empty if the figure is for programs only
   * @param figures the figures; programs read the first one; without figures, the label continues
   *     the previous row
   */
  private record Row(String name, String label, List<Figure> figures) {

    Figure figure(int column) {
      return column < figures.size() ? figures.get(column) : Figure.none();
    }
  }

  private final List<String> titles;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param titles the titles of the columns; the first column has the labels
   */
  Facts(String... titles) {
    this.titles = List.of(titles);
  }

  Facts row(String name, String label, Figure... figures) {
    rows.add(new Row(name, label, List.of(figures)));
    return this;
  }

  /** Adds a row of bytes, which people see as a number and in a unit. */
  Facts bytes(String name, String label, long bytes, Figure... more) {
    List<Figure> figures = new ArrayList<>();
    figures.add(Figure.bytes(bytes));
    figures.add(Figure.inUnit(bytes));
    figures.addAll(List.of(more));
    rows.add(new Row(name, label, figures));
    return this;
  }

  /** Adds a row of bytes; none if they are absent. */
  Facts bytes(String name, String label, OptionalLong bytes, Figure... more) {
    return bytes.isPresent() ? bytes(name, label, bytes.getAsLong(), more) : this;
  }

  /** {@return the figures for programs} */
  List<Answer.Field> fields() {
    return rows.stream()
        .filter(row -> !row.name().isEmpty())
        .map(row -> new Answer.Field(row.name(), row.figure(0)))
        .toList();
  }

  /** {@return the table for people} */
  Table<?> table() {
    List<Row> shown = rows.stream().filter(row -> !row.label().isEmpty()).toList();
    Table<Row> table = Table.shown(shown).text("", titles.getFirst(), Row::label);
    int count = shown.stream().mapToInt(row -> row.figures().size()).max().orElse(0);
    IntStream.range(0, Math.max(count, titles.size() - 1))
        .forEach(
            i -> table.shown(i + 1 < titles.size() ? titles.get(i + 1) : "", row -> row.figure(i)));
    return table;
  }
}
