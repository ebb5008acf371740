package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.pages.PageTable.Cell;
import dev.stowage.pages.text.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The table of the tensors or groups that differ in B, the largest differences first, and the sum
 * of the others. A page has more rows than the terminal, with bars.
 */
final class ChangeTable {

  private static final int MAX_ROWS = 20;
  private static final int MAX_PAGE_ROWS = 2000;

  private ChangeTable() {}

  /**
   * A tensor or a group.
   *
   * @param change the change; empty for the sum of others
   * @param count the number of blocks or tasks: {@code 2 -> 5}
   */
  record Row(Optional<Change> change, String key, long bytesA, long bytesB, String count) {

    static Row of(Change change, String key, long bytesA, long bytesB, long countA, long countB) {
      String now = Numbers.grouped(countB);
      String count = countA == countB ? now : Numbers.grouped(countA) + " -> " + now;
      return new Row(Optional.of(change), key, bytesA, bytesB, count);
    }

    private boolean isChanged() {
      return !change.equals(Optional.of(Change.SAME));
    }
  }

  /**
   * Adds the table, unless nothing differs.
   *
   * @param countTitle the title of the counts, such as {@code blocks}
   * @param noun a word for one row, such as {@code tensor}
   * @param all all tensors or groups, the largest difference first
   */
  static void addTo(Answer answer, String countTitle, String noun, List<Row> all) {
    if (all.stream().noneMatch(Row::isChanged)) {
      return;
    }
    double most =
        all.stream().mapToDouble(it -> Math.max(it.bytesA, it.bytesB)).reduce(1, Math::max);
    answer.table(
        Table.shown(rows(all, MAX_PAGE_ROWS))
            .onTerminal(rows(all, MAX_ROWS))
            .shown("CHANGE", row -> change(row, most))
            .shown("growth", row -> Figure.growth(row.bytesB - row.bytesA))
            .shown("A", row -> Figure.bytes(row.bytesA))
            .shown("B", row -> Figure.bytes(row.bytesB))
            .text("", countTitle, Row::count)
            .text("", noun, Row::key)
            .endingInText());
  }

  private static Figure change(Row row, double most) {
    List<Double> bars = List.of(Math.min(1, row.bytesA / most), Math.min(1, row.bytesB / most));
    return new Figure.OnPage(new Cell(row.change.map(Change::key).orElse(""), "", "", bars), true);
  }

  /** {@return the first rows that differ, and the sum of the others as one more} */
  private static List<Row> rows(List<Row> all, int most) {
    List<Row> first = all.stream().filter(Row::isChanged).limit(most).toList();
    if (first.size() == all.size()) {
      return first;
    }
    Row others =
        new Row(
            Optional.empty(),
            Numbers.count(all.size() - first.size(), "other"),
            sum(all, Row::bytesA) - sum(first, Row::bytesA),
            sum(all, Row::bytesB) - sum(first, Row::bytesB),
            "");
    return Stream.concat(first.stream(), Stream.of(others)).toList();
  }

  private static long sum(List<Row> rows, ToLongFunction<Row> bytes) {
    return rows.stream().mapToLong(bytes).sum();
  }
}
