package dev.stowage.cli.input;

import dev.stowage.core.plan.OffsetsAssignment;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/** The offsets of a plan, record by record. */
final class PlanOffsets {

  private long[] offsets = new long[16];
  private int count;
  private long totalBytes;

  /**
   * Adds the next record's offset.
   *
   * @throws IllegalArgumentException if there is none, it is negative, or the record ends behind
   *     2^63 - 1
   */
  void add(OptionalLong offset, long bytes) {
    if (offset.isEmpty()) {
      throw new IllegalArgumentException(
          "has no offset, expected one for every record of a plan; stowage plan FILE --output"
              + " plan.csv writes such a plan");
    }
    long start = offset.getAsLong();
    if (start < 0 || bytes > Long.MAX_VALUE - start) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "lies outside of any arena, expected an offset from 0 and an end below 2^63:"
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

  OffsetsAssignment toAssignment() {
    return OffsetsAssignment.of(Arrays.copyOf(offsets, count), totalBytes);
  }
}
