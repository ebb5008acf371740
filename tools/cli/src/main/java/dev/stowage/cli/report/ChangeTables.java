package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.pages.PageTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tables of the tensors or groups that are new, grown, gone or shrunk in B. The terminal has the
 * largest differences of each table. A page has all of them, with bars.
 */
final class ChangeTables {

  private static final int MAX_ROWS = 10;

  /** The number of rows on pages; the largest differences have one. */
  private static final int MAX_PAGE_ROWS = 2000;

  private final Answer answer;
  private final String countTitle;
  private final String noun;

  /**
   * A row.
   *
   * @param count the number of blocks or tasks: {@code 2 -> 5}
   */
  record Row(Change change, String key, long bytesA, long bytesB, String count) {

    /** Creates a row with a number that may have changed. */
    Row(Change change, String key, long bytesA, long bytesB, long countA, long countB) {
      this(
          change,
          key,
          bytesA,
          bytesB,
          countA == countB
              ? Numbers.grouped(countA)
              : Numbers.grouped(countA) + " -> " + Numbers.grouped(countB));
    }

    private static Row sum(List<Row> others) {
      return new Row(
          Change.SAME,
          Numbers.count(others.size(), "other"),
          others.stream().mapToLong(Row::bytesA).sum(),
          others.stream().mapToLong(Row::bytesB).sum(),
          "");
    }

    /** {@return the key with a bar for the bytes of A and one for the bytes of B} */
    private Figure bars(double most) {
      List<Double> lengths = List.of(Math.min(1, bytesA / most), Math.min(1, bytesB / most));
      return new Figure.OnPage(new Cell(key, "", "", lengths), true);
    }
  }

  /**
   * @param countTitle the title of the counts, such as {@code blocks}
   * @param noun a word for one row, such as {@code tensor}
   */
  ChangeTables(Answer answer, String countTitle, String noun) {
    this.answer = answer;
    this.countTitle = countTitle;
    this.noun = noun;
  }

  /** Adds a table for each change, and the sum of the rows without one. */
  void addAll(List<Row> rows) {
    for (Change change : Change.values()) {
      List<Row> changed = rows.stream().filter(row -> row.change == change).toList();
      if (change != Change.SAME) {
        add(change.title(), changed);
      } else if (!changed.isEmpty()) {
        answer.line(
            "%nNot listed: %s with %s, as many as in A",
            Numbers.count(changed.size(), noun), ByteUnit.exact(Row.sum(changed).bytesB));
      }
    }
  }

  /** Adds a table, unless it has no rows. */
  void add(String title, List<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    double most =
        rows.stream().mapToDouble(row -> Math.max(row.bytesA, row.bytesB)).reduce(1, Math::max);
    answer.table(
        Table.shown(first(rows, MAX_PAGE_ROWS))
            .onTerminal(first(rows, MAX_ROWS))
            .shown(title, row -> row.bars(most))
            .shown("growth", row -> Figure.growth(row.bytesB - row.bytesA))
            .shown("A", row -> Figure.bytes(row.bytesA))
            .shown("B", row -> Figure.bytes(row.bytesB))
            .text("", countTitle, Row::count));
  }

  /** {@return the first rows, and the sum of the others as one more} */
  private static List<Row> first(List<Row> rows, int most) {
    return rows.size() <= most
        ? rows
        : Stream.concat(
                rows.stream().limit(most), Stream.of(Row.sum(rows.subList(most, rows.size()))))
            .toList();
  }
}
