package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A table of an answer: people see a line for each row, programs an object for each row.
 *
 * @param <T> the rows
 */
final class Table<T> implements Answer.Part {

  /** The title of a column that only programs read. */
  static final String HIDDEN = "\0";

  /** The title of a column of JSON. */
  private static final String JSON = "\0json";

  /**
   * A column.
   *
   * @param name the name for programs; empty if the column is for people only
   * @param title the title for people; {@link #HIDDEN} if the column is for programs only
   * @param cell returns the figure of a row
   */
  record Column<T>(String name, String title, Function<T, Figure> cell) {

    boolean isShown() {
      return !title.startsWith(HIDDEN);
    }

    /** {@return true if the column has texts rather than numbers} */
    boolean isText(List<T> rows) {
      List<Figure> figures =
          rows.stream().map(cell).filter(figure -> !(figure instanceof Figure.None)).toList();
      return !figures.isEmpty() && figures.stream().allMatch(Figure::isText);
    }

    boolean isNamed() {
      return !name.isEmpty();
    }
  }

  private final String name;
  private final List<T> rows;
  private final List<Column<T>> columns = new ArrayList<>();
  private boolean endsInText;
  private boolean keepsLabels;
  private List<T> terminalRows;

  private Table(String name, List<T> rows) {
    this.name = name;
    this.rows = rows;
    terminalRows = rows;
  }

  /** {@return a table without columns that people see and programs do not} */
  static <T> Table<T> shown(List<T> rows) {
    return new Table<>("", rows);
  }

  /** {@return a table without columns that is an array with a name for programs} */
  static <T> Table<T> named(String name, List<T> rows) {
    return new Table<>(name, rows);
  }

  /** {@return the figures of an answer for programs in one line, without lists and objects} */
  static Table<Answer> line(Answer answer) {
    Table<Answer> line = shown(List.of(answer));
    for (Answer.Field field : answer.fields()) {
      if (field.figure().isSingle()) {
        line.data(field.name(), _ -> field.figure());
      }
    }
    return line;
  }

  /** Adds a column for people and programs. */
  Table<T> column(String columnName, String title, Function<T, Figure> cell) {
    columns.add(new Column<>(columnName, title, cell));
    return this;
  }

  /** Adds a column for people. */
  Table<T> shown(String title, Function<T, Figure> cell) {
    return column("", title, cell);
  }

  /** Prints other rows on the terminal, such as the first ones and a sum, or none. */
  Table<T> onTerminal(List<T> others) {
    terminalRows = others;
    return this;
  }

  /** Adds a column for programs. */
  Table<T> data(String columnName, Function<T, Figure> cell) {
    return column(columnName, HIDDEN, cell);
  }

  /** Adds a column of JSON only, such as lists. */
  Table<T> json(String columnName, Function<T, Figure> cell) {
    columns.add(new Column<>(columnName, JSON, cell));
    return this;
  }

  /** Adds the columns that another table has in CSV. */
  Table<T> data(Table<T> other) {
    return data("", other, row -> row);
  }

  /** Adds the columns that a table of other rows has in CSV. Their names get a prefix. */
  <R> Table<T> data(String prefix, Table<R> other, Function<T, R> rowOf) {
    other.namedColumns().stream()
        .filter(column -> !column.title().equals(JSON))
        .forEach(column -> data(prefix + column.name(), rowOf.andThen(column.cell())));
    return this;
  }

  /** Moves columns for programs to the front, in the order of their names. */
  Table<T> startingWith(String... columnNames) {
    List<String> order = List.of(columnNames);
    columns.sort(
        Comparator.comparingInt(
            column -> order.contains(column.name()) ? order.indexOf(column.name()) : order.size()));
    return this;
  }

  /** Adds a text for people and programs. */
  Table<T> text(String columnName, String title, Function<T, String> text) {
    return column(columnName, title, row -> Figure.text(text.apply(row)));
  }

  /** Adds a number for people and programs. */
  Table<T> count(String columnName, String title, ToLongFunction<T> number) {
    return column(columnName, title, row -> Figure.count(number.applyAsLong(row)));
  }

  /** Adds bytes, which people see as a number and in a unit. */
  Table<T> bytes(String columnName, String title, ToLongFunction<T> bytes) {
    return column(columnName, title, row -> Figure.bytes(bytes.applyAsLong(row)))
        .shown("", row -> Figure.inUnit(bytes.applyAsLong(row)));
  }

  /** Adds bytes, which people see in a unit only. */
  Table<T> inUnit(String columnName, String title, ToLongFunction<T> bytes) {
    return data(columnName, row -> Figure.bytes(bytes.applyAsLong(row)))
        .shown(title, row -> Figure.inUnit(bytes.applyAsLong(row)));
  }

  /** Aligns the last column to the left: it has texts of any length. */
  Table<T> endingInText() {
    endsInText = true;
    return this;
  }

  /** Prints texts of the first column on lines of their own rather than to cut them. */
  Table<T> keepingLabels() {
    keepsLabels = true;
    return this;
  }

  /** {@return the name for programs; empty if the table is for people only} */
  String name() {
    return name;
  }

  List<T> rows() {
    return rows;
  }

  /** {@return the rows of the terminal} */
  List<T> terminalRows() {
    return terminalRows;
  }

  boolean endsInText() {
    return endsInText;
  }

  boolean keepsLabels() {
    return keepsLabels;
  }

  /** {@return the columns that people see} */
  List<Column<T>> shownColumns() {
    return columns.stream().filter(Column::isShown).toList();
  }

  /** {@return the columns that programs read} */
  List<Column<T>> namedColumns() {
    return columns.stream().filter(Column::isNamed).toList();
  }
}
