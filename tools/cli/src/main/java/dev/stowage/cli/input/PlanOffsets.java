package dev.stowage.cli.input;

import dev.stowage.plan.OffsetsAssignment;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/** The offsets of a plan, in the order of its records. */
final class PlanOffsets {

  /** The problem of a record without an offset. */
  static final String MISSING =
      "has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan";

  private long[] offsets = new long[16];
  private int count;
  private long totalBytes;

  /**
   * Adds the offset of the next record.
   *
   * @throws IllegalArgumentException if the record has no offset, if the offset is negative, or if
   *     the record ends after 2^63 - 1
   */
  void add(OptionalLong offset, long bytes) {
    if (offset.isEmpty()) {
      throw new IllegalArgumentException(MISSING);
    }
    long start = offset.getAsLong();
    if (start < 0 || bytes > Long.MAX_VALUE - start) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "has an offset outside of any arena, expected 0 or more and an end below 2^63:"
                  + " offset=%d, bytes=%d",
              start,
              bytes));
    }
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    offsets[count++] = start;
    totalBytes = Math.max(totalBytes, start + bytes);
  }

  /** {@return the offset of a record} */
  long offset(int record) {
    return offsets[record];
  }

  OffsetsAssignment toAssignment() {
    return OffsetsAssignment.of(Arrays.copyOf(offsets, count), totalBytes);
  }
}
