package dev.stowage.cli;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/** A problem whose search does not end in reasonable time: alignments without common factors. */
public final class EndlessProblem {

  private static final long[] PRIMES = {
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167
  };

  private EndlessProblem() {}

  /** {@return the records} */
  public static List<TensorUsageRecord> records() {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 2 * PRIMES.length; i++) {
      long bytes = 1000 + 37L * i * i % 500;
      records.add(TensorUsageRecord.of(bytes, i / 4, 12).withAlignment(PRIMES[i % PRIMES.length]));
    }
    return records;
  }

  /** {@return the text of the problem} */
  static String csv() {
    StringBuilder csv = new StringBuilder("id,lower,end,size,alignment\n");
    int id = 0;
    for (TensorUsageRecord record : records()) {
      csv.append(id++)
          .append(',')
          .append(record.firstTask())
          .append(',')
          .append(record.lastTask())
          .append(',')
          .append(record.bytes())
          .append(',')
          .append(record.alignment())
          .append('\n');
    }
    return csv.toString();
  }
}
