package dev.stowage.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A table of an answer: people see a line for each row, programs an object for each row.
 *
 * @param <T> the rows
 */
final class Table<T> implements Answer.Part {

  /** The title of a column that only programs read. */
  static final String HIDDEN = "\0";

  /** The start of the title of a column that only pages have. */
  private static final String PAGE = "\0page";

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

    boolean isOnPages() {
      return isShown() || title.startsWith(PAGE);
    }

    /** {@return the title on pages} */
    String pageTitle() {
      return title.startsWith(PAGE) ? title.substring(PAGE.length()) : title;
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
  private int requiredCount = Integer.MAX_VALUE;
  private final List<Integer> cutColumns = new ArrayList<>();
  private Optional<Column<T>> groups = Optional.empty();
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

  /** Adds a column that only pages have. */
  Table<T> onPage(String title, Function<T, Figure> cell) {
    return column("", PAGE + title, cell);
  }

  /**
   * Groups the rows that follow each other: a line above them on the terminal, and the first column
   * of a page.
   */
  Table<T> groupedBy(String title, Function<T, Figure> group) {
    groups = Optional.of(new Column<>("", title, group));
    return this;
  }

  /** Prints other rows on the terminal, such as the first ones and a sum. */
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

  /** Cuts names in the last column that people see so far, if the table is too wide. */
  Table<T> cutting() {
    cutColumns.add(shownColumns().size() - 1);
    return this;
  }

  /** Prints the columns that follow only if they fit, the first ones before the others. */
  Table<T> optionally() {
    requiredCount = shownColumns().size();
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

  /** {@return the group of a row; empty if rows have no groups} */
  Optional<Figure> group(T row) {
    return groups.map(column -> column.cell().apply(row));
  }

  /** {@return the title of the groups; empty if rows have no groups} */
  Optional<String> groupTitle() {
    return groups.map(Column::title);
  }

  /** {@return the columns of a page} */
  List<Column<T>> pageColumns() {
    return Stream.concat(groups.stream(), columns.stream().filter(Column::isOnPages)).toList();
  }

  boolean endsInText() {
    return endsInText;
  }

  boolean keepsLabels() {
    return keepsLabels;
  }

  List<Integer> cutColumns() {
    return cutColumns;
  }

  /** {@return the number of columns that people see at any width} */
  int requiredCount() {
    return requiredCount;
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
