package dev.stowage.cli.budget;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * The measured memory of a service. No request is larger than the shape.
 *
 * @param dimensions the shape
 * @param highestBytes the most bytes until this shape was measured, as in the report
 */
public record BudgetShape(Map<String, Long> dimensions, long highestBytes) {

  private static final long MIB = 1 << 20;

  /** The least margin above the measured memory. */
  private static final long LEAST_MARGIN = 16 * MIB;

  /** The margin above the measured memory: one in so many bytes. */
  private static final long MARGIN_PART = 20;

  /** {@return the limit to set: whole MiB with a margin of 5 %, and at least 16 MiB} */
  static long limit(long highestBytes) {
    long margin = Math.max(LEAST_MARGIN, highestBytes / MARGIN_PART);
    return Math.ceilDiv(highestBytes + margin, MIB) * MIB;
  }

  /** {@return the sizes of the dimensions: {@code batch=16, seq=128}; empty if there are none} */
  public String text() {
    return dimensions.entrySet().stream()
        .map(dimension -> dimension.getKey() + "=" + dimension.getValue())
        .collect(Collectors.joining(", "));
  }

  /** {@return the limit to set for requests of at most this shape} */
  public long limitBytes() {
    return limit(highestBytes);
  }
}
