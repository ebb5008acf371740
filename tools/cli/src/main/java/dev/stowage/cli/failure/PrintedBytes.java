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
 * @param text the number in the unit of the text; empty if it is exact
 * @param unitBytes the bytes of this unit
 */
public record PrintedBytes(long lowBytes, long bytes, long highBytes, String text, long unitBytes) {

  private static final String UNITS = "BKMGTPE";

  /** {@return an exact number of bytes} */
  public static PrintedBytes exact(long bytes) {
    return new PrintedBytes(bytes, bytes, bytes, "", 1);
  }

  /** {@return any number from one to another, with a text} */
  public static PrintedBytes range(long lowBytes, long highBytes) {
    String text = "between " + ByteUnit.human(lowBytes) + " and " + ByteUnit.human(highBytes);
    return new PrintedBytes(lowBytes, lowBytes, Math.max(lowBytes, highBytes), text, 1);
  }

  /** {@return any number of this size or more} */
  PrintedBytes orMore() {
    return between(bytes, Long.MAX_VALUE / 4);
  }

  /** {@return any number from one to another, without a text} */
  static PrintedBytes between(long lowBytes, long highBytes) {
    return new PrintedBytes(lowBytes, lowBytes, Math.max(lowBytes, highBytes), "", 1);
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
        isExact ? "" : number + " " + name(power),
        1L << (10 * power));
  }

  private static String name(int power) {
    return power == 0 ? "bytes" : UNITS.charAt(power) + "iB";
  }

  private static long whole(BigDecimal bytes, RoundingMode rounding) {
    BigDecimal most = BigDecimal.valueOf(Long.MAX_VALUE);
    return bytes.max(BigDecimal.ZERO).setScale(0, rounding).min(most).longValueExact();
  }

  /** {@return true if the number is larger than any memory} */
  boolean isOverflow() {
    return highBytes >= 1L << 60;
  }

  /** {@return true if the text gives every byte} */
  boolean isExact() {
    return lowBytes == highBytes;
  }

  /** {@return the bytes between the least and the largest number} */
  long rangeBytes() {
    return highBytes - lowBytes;
  }

  /** {@return the sum with another number} */
  PrintedBytes plus(PrintedBytes other) {
    return derived(
        sum(lowBytes, other.lowBytes),
        sum(bytes, other.bytes),
        sum(highBytes, other.highBytes),
        other);
  }

  /** {@return the difference to another number, at least 0} */
  PrintedBytes minus(PrintedBytes other) {
    return derived(
        Math.max(0, lowBytes - other.highBytes),
        Math.max(0, bytes - other.bytes),
        Math.max(0, highBytes - other.lowBytes),
        other);
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private PrintedBytes derived(long low, long middle, long high, PrintedBytes other) {
    long unit = Math.max(unitBytes, other.unitBytes);
    return new PrintedBytes(
        low,
        middle,
        high,
        unit == 1
            ? ""
            : Text.of(
                "%.2f %s", (double) middle / unit, name(Long.numberOfTrailingZeros(unit) / 10)),
        unit);
  }

  /** {@return the number as the text has it; an exact one in a unit, and in bytes} */
  public String shown() {
    if (!text.isEmpty()) {
      return text;
    }
    if (highBytes > bytes) {
      return "at least " + exact(bytes).shown();
    }
    return ByteUnit.sentence(bytes);
  }

  /** {@return the number in one unit, for a sentence that has the bytes elsewhere} */
  String brief() {
    return !text.isEmpty() ? text : bytes < 1024 ? shown() : ByteUnit.human(bytes);
  }
}
