package dev.stowage.cli.option;

import dev.stowage.pages.text.Text;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number of 0 or more in ASCII digits. */
public final class WholeNumberConverter implements ITypeConverter<Long> {

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  @Override
  public Long convert(String value) {
    if (!NUMBER.matcher(value).matches()) {
      throw new TypeConversionException(
          Text.of("'%s' is not a whole number, expected one such as 42", value));
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          Text.of("'%s' is out of range, expected at most 2^63 - 1", value));
    }
  }
}
