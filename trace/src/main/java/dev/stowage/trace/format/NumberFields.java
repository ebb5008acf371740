package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Parses the numeric fields of a line, and describes invalid ones. */
final class NumberFields {

  private NumberFields() {}

  /** {@return a decimal number of 64 bits in ASCII digits, or empty if the text is not one} */
  static OptionalLong whole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '+' || c > '9') { // parseLong also accepts these
        return OptionalLong.empty();
      }
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** {@return a decimal number with a fraction, or empty if the text is not one} */
  static OptionalDouble fraction(String text) {
    try {
      return OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** {@return the bytes of a unit, such as {@code B} or {@code GiB}} */
  static double unitBytes(String unit) {
    return Math.pow(1024, "KMGTPE".indexOf(unit.charAt(0)) + 1);
  }

  static String notWhole(String name, String text) {
    return String.format(
        Locale.ROOT,
        "has %s '%s', expected a whole number",
        name,
        MalformedFileException.excerpt(text));
  }

  static String notBytes(String name, String text) {
    return String.format(
        Locale.ROOT,
        "has %s '%s', expected a number of bytes from 0 to 2^63 - 1",
        name,
        MalformedFileException.excerpt(text));
  }

  static String notHexadecimal(String name, String text) {
    return String.format(
        Locale.ROOT,
        "has %s '%s', expected a hexadecimal number of 64 bits",
        name,
        MalformedFileException.excerpt(text));
  }
}
