package dev.stowage.cli.console;

import dev.stowage.pages.text.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a number of bytes: {@code 1048576}, {@code 64KiB}, {@code 9.25GiB}, {@code 9250MB}.
 *
 * <p>The units KiB to TiB are powers of 1024, the units KB to TB powers of 1000. A fraction of a
 * byte is dropped.
 */
public final class ByteCountConverter implements ITypeConverter<Long> {

  private static final Pattern SIZE = Pattern.compile("(\\d+)B?|(\\d+(?:\\.\\d+)?)([KMGT])(i?)B");

  private static final String PREFIXES = "KMGT";

  @Override
  public Long convert(String value) {
    Matcher size = SIZE.matcher(value);
    if (!size.matches()) {
      throw new TypeConversionException(
          Text.of(
              "'%s' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
              value));
    }
    BigDecimal bytes = new BigDecimal(size.group(1) != null ? size.group(1) : size.group(2));
    if (size.group(3) != null) {
      int power = PREFIXES.indexOf(size.group(3)) + 1;
      bytes = bytes.multiply(BigDecimal.valueOf(size.group(4).isEmpty() ? 1000 : 1024).pow(power));
    }
    try {
      return bytes.setScale(0, RoundingMode.DOWN).longValueExact();
    } catch (ArithmeticException e) {
      throw new TypeConversionException(
          Text.of("'%s' is too large, expected at most 2^63 - 1 bytes", value));
    }
  }
}
