package dev.stowage.cli.failure;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A number of bytes as a text prints it: rounded, so that the exact number is in an interval.
 *
 * <p>Numbers of 2^63 and more are 2^63 - 1.
 *
 * @param lowBytes the least number
 * @param bytes the printed number, to the next byte
 * @param highBytes the largest number
 * @param unitBytes the bytes of the unit of the text; 1 if it is exact
 */
public record PrintedBytes(long lowBytes, long bytes, long highBytes, long unitBytes) {

  private static final String UNITS = "BKMGTPE";

  private static final long IMPOSSIBLE = 1L << 60;

  private static final long MOST = Long.MAX_VALUE / 4;

  /** {@return an exact number of bytes} */
  public static PrintedBytes exact(long bytes) {
    return between(bytes, bytes);
  }

  /** {@return any number from one to another} */
  public static PrintedBytes between(long lowBytes, long highBytes) {
    return new PrintedBytes(lowBytes, lowBytes, Math.max(lowBytes, highBytes), 1);
  }

  /** {@return any number of this size or more} */
  PrintedBytes orMore() {
    return between(bytes, MOST);
  }

  /**
   * {@return a printed number}
   *
   * @param number digits, with or without decimals
   * @param unit a unit such as {@code GiB}, {@code G}, {@code kB} or {@code bytes}, of a power of
   *     1,024; empty for bytes
   */
  static PrintedBytes of(String number, String unit) {
    int power =
        unit.isEmpty() ? 0 : Math.max(0, UNITS.indexOf(Character.toUpperCase(unit.charAt(0))));
    BigDecimal printed = new BigDecimal(number);
    BigDecimal value = power == 0 ? printed.setScale(0, RoundingMode.HALF_UP) : printed;
    BigDecimal scale = BigDecimal.valueOf(1024).pow(power);
    // The kernel prints whole pages.
    boolean isExact = power == 0 || (value.scale() == 0 && unit.equals("kB"));
    BigDecimal half =
        isExact
            ? BigDecimal.ZERO
            : new BigDecimal("0.5").movePointLeft(value.scale()).multiply(scale);
    BigDecimal exact = value.multiply(scale);
    return new PrintedBytes(
        whole(exact.subtract(half), RoundingMode.CEILING),
        whole(exact, RoundingMode.HALF_UP),
        whole(exact.add(half), RoundingMode.FLOOR),
        isExact ? 1 : 1L << (10 * power));
  }

  /** {@return an exact number of units of a power of 1,000, such as {@code M}; empty for bytes} */
  static PrintedBytes decimal(String number, String unit) {
    int power = unit.isEmpty() ? 0 : UNITS.indexOf(Character.toUpperCase(unit.charAt(0)));
    BigDecimal bytes = new BigDecimal(number).movePointRight(3 * power);
    return exact(whole(bytes, RoundingMode.HALF_UP));
  }

  private static long whole(BigDecimal bytes, RoundingMode rounding) {
    BigDecimal most = BigDecimal.valueOf(Long.MAX_VALUE);
    return bytes.max(BigDecimal.ZERO).setScale(0, rounding).min(most).longValueExact();
  }

  /** {@return true if the number is larger than any memory} */
  boolean isOverflow() {
    return highBytes >= IMPOSSIBLE;
  }

  /** {@return the bytes between the least and the largest number} */
  long rangeBytes() {
    return highBytes - lowBytes;
  }

  /** {@return the sum with another number} */
  PrintedBytes plus(PrintedBytes other) {
    return new PrintedBytes(
        sum(lowBytes, other.lowBytes),
        sum(bytes, other.bytes),
        sum(highBytes, other.highBytes),
        Math.max(unitBytes, other.unitBytes));
  }

  /** {@return the difference to another number, at least 0} */
  PrintedBytes minus(PrintedBytes other) {
    return new PrintedBytes(
        Math.max(0, lowBytes - other.highBytes),
        Math.max(0, bytes - other.bytes),
        Math.max(0, highBytes - other.lowBytes),
        Math.max(unitBytes, other.unitBytes));
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** {@return the number in the unit of the text; an exact one in a unit, and in bytes} */
  public String shown() {
    if (bytes >= IMPOSSIBLE) {
      return "more than any memory";
    }
    return unitBytes > 1
        ? brief()
        : (highBytes >= MOST ? "at least " : "") + ByteUnit.sentence(bytes);
  }

  /** {@return the number in one unit, for a sentence that has the bytes elsewhere} */
  String brief() {
    return unitBytes == 1
        ? bytes < 1024 ? ByteUnit.sentence(bytes) : ByteUnit.human(bytes)
        : Text.of(
            "%.2f %siB",
            (double) bytes / unitBytes, UNITS.charAt(Long.numberOfTrailingZeros(unitBytes) / 10));
  }
}
