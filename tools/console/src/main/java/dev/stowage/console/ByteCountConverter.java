package dev.stowage.console;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes: {@code 1048576}, {@code 1MiB}, {@code 64KiB}. */
public final class ByteCountConverter implements ITypeConverter<Long> {

  private static final Pattern SIZE = Pattern.compile("(\\d+)(B|KiB|MiB|GiB|TiB)?");
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  @Override
  public Long convert(String value) {
    Matcher matcher = SIZE.matcher(value);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          String.format(
              Locale.ROOT,
              "'%s' is not a number of bytes, expected one such as 1048576, 64KiB or 2GiB",
              value));
    }
    int unit = matcher.group(2) == null ? 0 : UNITS.indexOf(matcher.group(2));
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * unit));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException(
          String.format(Locale.ROOT, "'%s' is too large, expected at most 2^63 - 1 bytes", value));
    }
  }
}
