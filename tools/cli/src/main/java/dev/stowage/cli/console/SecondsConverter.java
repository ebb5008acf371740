package dev.stowage.cli.console;

import dev.stowage.pages.text.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time above 0, in seconds without a unit: {@code 10}, {@code 0.5}, {@code 10m}. */
public final class SecondsConverter implements ITypeConverter<Duration> {

  private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)([smh]?)");
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  @Override
  public Duration convert(String value) {
    Matcher time = TIME.matcher(value);
    BigDecimal seconds =
        time.matches()
            ? new BigDecimal(time.group(1)).multiply(secondsOf(time.group(2)))
            : BigDecimal.ZERO;
    if (seconds.signum() == 0) {
      throw new TypeConversionException(
          Text.of(
              "'%s' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
              value));
    }
    // Less than a nanosecond becomes a nanosecond; more than 292 years means no limit.
    BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.CEILING);
    return Duration.ofNanos(nanos.min(MAX_NANOS).longValueExact());
  }

  private static BigDecimal secondsOf(String unit) {
    return switch (unit) {
      case "m" -> BigDecimal.valueOf(60);
      case "h" -> BigDecimal.valueOf(3600);
      default -> BigDecimal.ONE;
    };
  }
}
