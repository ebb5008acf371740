package dev.stowage.cli.run;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.gate.Tolerance;
import dev.stowage.pages.text.Text;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a tolerance: {@code 1%}, {@code 0.5} (percent), {@code 64KiB}, {@code 100B}. */
final class ToleranceConverter implements ITypeConverter<Tolerance> {

  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?%?");
  private static final Pattern BYTES = Pattern.compile("[0-9]+(B|KiB|MiB|GiB|TiB)");

  @Override
  public Tolerance convert(String value) {
    if (BYTES.matcher(value).matches()) {
      return new Tolerance(value, BigDecimal.ZERO, new ByteCountConverter().convert(value));
    }
    Matcher percent = PERCENT.matcher(value);
    if (!percent.matches()) {
      throw new TypeConversionException(
          Text.of(
              "'%s' is not a tolerance, expected a percentage such as 1%% or bytes such as 64KiB",
              value));
    }
    return new Tolerance(percent.group(1) + "%", new BigDecimal(percent.group(1)), 0);
  }
}
