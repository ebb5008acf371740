package dev.stowage.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of seconds above 0: {@code 10}, {@code 0.5}. */
public final class SecondsConverter implements ITypeConverter<Duration> {

  private static final Pattern SECONDS = Pattern.compile("[0-9]+(\\.[0-9]+)?|\\.[0-9]+");
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  @Override
  public Duration convert(String value) {
    BigDecimal seconds = SECONDS.matcher(value).matches() ? new BigDecimal(value) : BigDecimal.ZERO;
    if (seconds.signum() == 0) {
      throw new TypeConversionException(
          String.format(
              Locale.ROOT,
              "'%s' is not a number of seconds above 0, expected one such as 10 or 0.5",
              value));
    }
    // Less than a nanosecond becomes a nanosecond; more than 292 years means no limit.
    BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.CEILING);
    return Duration.ofNanos(nanos.min(MAX_NANOS).longValueExact());
  }
}
