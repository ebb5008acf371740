package dev.stowage.pages;

import dev.stowage.plan.TensorUsageRecord;
import java.util.BitSet;
import java.util.List;

/** The colours of tensors: orange if marked, else blue, in shades by size. */
final class Shades {

  /* A shade is an equal part of the logarithms between the smallest and the largest tensor. */

  static final int COUNT = 5;

  private final List<TensorUsageRecord> records;
  private final BitSet marked;
  private final double least;
  private final double span;

  Shades(List<TensorUsageRecord> records, BitSet marked) {
    this.records = records;
    this.marked = marked;
    least =
        records.stream()
            .mapToDouble(TensorUsageRecord::bytes)
            .filter(bytes -> bytes > 0)
            .min()
            .orElse(1);
    double most = records.stream().mapToDouble(TensorUsageRecord::bytes).max().orElse(1);
    span = most <= least ? 0 : Math.log(most / least);
  }

  /** {@return 0 for the smallest records to 4 for the largest} */
  int shade(long bytes) {
    return span == 0
        ? COUNT / 2
        : Math.min(COUNT - 1, (int) (COUNT * Math.log(bytes / least) / span));
  }

  /** {@return the class in the style sheet} */
  String cssClass(int record) {
    return (marked.get(record) ? "o" : "b") + shade(records.get(record).bytes());
  }
}
