package dev.stowage.cli.report;

import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Tables of what is new, grown, gone or shrunk, for people: the largest differences of each. */
final class ChangeTables<T> {

  private static final int MAX_ROWS = 10;

  private final Answer answer;
  private final String detailTitle;
  private final String keyTitle;
  private final Function<T, Row> row;
  private final Function<List<T>, Row> sum;

  /**
   * A row.
   *
   * @param detail a text between the bytes and the key
   */
  record Row(long bytesA, long bytesB, String detail, String key) {

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

  /** Adds a table, unless there are no changes. */
  void add(String title, List<T> changes) {
    if (changes.isEmpty()) {
      return;
    }
    List<Row> rows = new ArrayList<>(changes.stream().limit(MAX_ROWS).map(row).toList());
    List<T> others = changes.subList(rows.size(), changes.size());
    if (!others.isEmpty()) {
      rows.add(sum.apply(others).withKey(Numbers.count(others.size(), "other")));
    }
    answer.table(
        Table.shown(rows)
            .text("", title, _ -> "")
            .text("", "growth", change -> DifferenceText.signed(change.bytesB - change.bytesA))
            .count("", "A", Row::bytesA)
            .count("", "B", Row::bytesB)
            .text("", detailTitle, Row::detail)
            .text("", keyTitle, Row::key)
            .endingInText());
  }
}
