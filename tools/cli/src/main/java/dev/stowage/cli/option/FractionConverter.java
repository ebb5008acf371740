package dev.stowage.cli.option;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a fraction: {@code 0.75}, {@code 1}. */
final class FractionConverter implements ITypeConverter<Double> {

  @Override
  public Double convert(String value) {
    try {
      return Double.valueOf(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          String.format(
              Locale.ROOT, "'%s' is not a fraction, expected a number such as 0.75", value));
    }
  }
}
