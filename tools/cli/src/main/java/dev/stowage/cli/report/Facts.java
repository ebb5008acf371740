package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Figures below each other with a title, such as the peaks of a replay. Programs read the first
 * figure of a row. If consecutive facts have the same titles after the first one, their columns are
 * aligned.
 */
final class Facts implements Answer.Part {

  /**
   * A figure and others beside it.
   *
   * @param name the name for programs; empty if the figure is for people only
   * @param label the label for people
   * @param figures the figures; programs read the first one; without figures, the label continues
   *     the previous row
   */
  record Row(String name, String label, List<Figure> figures) {}

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

  private boolean hasLinesOnly() {
    return rows.stream().allMatch(row -> row.figures().isEmpty());
  }

  /** {@return true if the columns have the titles of others, as far as both have columns} */
  boolean alignsWith(Facts other) {
    if (hasLinesOnly() || other.hasLinesOnly()) {
      return false;
    }
    int count = Math.min(titles.size(), other.titles.size());
    return titles.subList(1, count).equals(other.titles.subList(1, count));
  }

  List<String> titles() {
    return titles;
  }

  List<Row> rows() {
    return rows;
  }

  /** {@return the figures for programs} */
  List<Answer.Field> fields() {
    return rows.stream()
        .filter(row -> !row.name().isEmpty())
        .map(row -> new Answer.Field(row.name(), row.figures().getFirst()))
        .toList();
  }
}
