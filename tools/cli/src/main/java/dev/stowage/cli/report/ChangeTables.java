package dev.stowage.cli.report;

import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tables of what is new, grown, gone or shrunk, for people: the largest differences of each on the
 * terminal, all of them with bars on a page.
 */
final class ChangeTables<T> {

  private static final int MAX_ROWS = 10;

  /** The number of rows on pages; those with the largest differences have one. */
  private static final int MAX_PAGE_ROWS = 2000;

  private final Answer answer;
  private final String detailTitle;
  private final String keyTitle;
  private final Function<T, Row> row;
  private final Function<List<T>, Row> sum;
  private final Map<String, Function<T, Figure>> pageColumns = new LinkedHashMap<>();

  /**
   * A row.
   *
   * @param detail a text between the bytes and the key
   */
  record Row(long bytesA, long bytesB, String detail, String key) {

    /** {@return the key with a bar for the bytes of A and one for those of B} */
    private Cell bar(double most) {
      return Cell.text(key).withBars(Math.min(1, bytesA / most), Math.min(1, bytesB / most));
    }

    Row withKey(String newKey) {
      return new Row(bytesA, bytesB, detail, newKey);
    }

    /** {@return a number that may have changed: {@code 2 -> 5}} */
    static String change(long before, long now) {
      return before == now
          ? Numbers.grouped(before)
          : Numbers.grouped(before) + " -> " + Numbers.grouped(now);
    }
  }

  /**
   * @param sum returns the row for others, whose key is replaced
   */
  ChangeTables(
      Answer answer,
      String detailTitle,
      String keyTitle,
      Function<T, Row> row,
      Function<List<T>, Row> sum) {
    this.answer = answer;
    this.detailTitle = detailTitle;
    this.keyTitle = keyTitle;
    this.row = row;
    this.sum = sum;
  }

  /** Adds columns that only pages have. */
  ChangeTables<T> onPage(String title, Function<T, Figure> cell) {
    pageColumns.put(title, cell);
    return this;
  }

  /** Adds a table, unless there are no changes. */
  void add(String title, List<T> changes) {
    add(title, changes, MAX_ROWS);
  }

  /** Adds a table that only pages have, unless there are no changes. */
  void addOnPage(String title, List<T> changes) {
    add(title, changes, 0);
  }

  private void add(String title, List<T> changes, int terminalRows) {
    if (changes.isEmpty()) {
      return;
    }
    List<Entry> rows = entries(changes, MAX_PAGE_ROWS);
    double most =
        changes.stream()
            .map(row)
            .mapToDouble(change -> Math.max(change.bytesA, change.bytesB))
            .reduce(1, Math::max);
    Table<Entry> table =
        Table.shown(rows)
            .onTerminal(terminalRows == 0 ? List.of() : entries(changes, terminalRows))
            .shown(title, entry -> onPage("", entry.row.bar(most)))
            .shown("growth", entry -> Figure.growth(entry.row.bytesB - entry.row.bytesA))
            .shown("A", entry -> Figure.bytes(entry.row.bytesA))
            .shown("B", entry -> Figure.bytes(entry.row.bytesB))
            .text("", detailTitle, entry -> entry.row.detail);
    pageColumns.forEach((name, cell) -> table.onPage(name, entry -> Figure.of(entry.change, cell)));
    answer.table(table.shown(keyTitle, entry -> onPage(entry.row.key, Cell.none())).endingInText());
  }

  private static Figure onPage(String text, Cell cell) {
    return new Figure.OnPage(Figure.text(text), cell);
  }

  /** {@return the first changes, and the sum of the others as one more} */
  private List<Entry> entries(List<T> changes, int most) {
    List<Entry> entries = new ArrayList<>();
    changes.stream()
        .limit(most)
        .forEach(change -> entries.add(new Entry(row.apply(change), Optional.of(change))));
    List<T> others = changes.subList(entries.size(), changes.size());
    if (!others.isEmpty()) {
      entries.add(
          new Entry(
              sum.apply(others).withKey(Numbers.count(others.size(), "other")), Optional.empty()));
    }
    return entries;
  }

  /** A row of a change; without one, a sum. */
  private final class Entry {

    private final Row row;
    private final Optional<T> change;

    Entry(Row row, Optional<T> change) {
      this.row = row;
      this.change = change;
    }
  }
}
