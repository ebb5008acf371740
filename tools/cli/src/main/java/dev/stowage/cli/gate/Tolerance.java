package dev.stowage.cli.gate;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The growth of a figure that is no regression.
 *
 * @param text the value as on the command line, such as {@code 1%} or {@code 64KiB}
 * @param percent the percentage of the earlier figure; 0 or more
 * @param bytes the number of bytes; 0 or more. It does not apply to other units
 */
public record Tolerance(String text, BigDecimal percent, long bytes) {

  /** No growth at all. */
  public static final Tolerance NONE = new Tolerance("0", BigDecimal.ZERO, 0);

  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  /**
   * {@return the largest figure that is no regression}
   *
   * @param before the earlier figure; not negative
   */
  long largest(String name, long before) {
    BigDecimal growth = BigDecimal.valueOf(before).multiply(percent).movePointLeft(2);
    BigDecimal allowed = isInBytes(name) ? growth.add(BigDecimal.valueOf(bytes)) : growth;
    return BigDecimal.valueOf(before)
        .add(allowed)
        .min(MAX)
        .setScale(0, RoundingMode.FLOOR)
        .longValueExact();
  }

  private static boolean isInBytes(String name) {
    return name.endsWith("_bytes");
  }
}
