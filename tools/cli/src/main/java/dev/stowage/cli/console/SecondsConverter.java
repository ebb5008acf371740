package dev.stowage.cli.console;

import dev.stowage.pages.text.Text;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time above 0, in seconds without a unit: {@code 10}, {@code 0.5}, {@code 10m}. */
public final class SecondsConverter implements ITypeConverter<Duration> {

  private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)([smh]?)");

  @Override
  public Duration convert(String value) {
    Matcher time = TIME.matcher(value);
    double seconds =
        time.matches() ? Double.parseDouble(time.group(1)) * secondsOf(time.group(2)) : 0;
    if (seconds <= 0) {
      throw new TypeConversionException(
          Text.of(
              "'%s' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
              value));
    }
    // Less than a nanosecond becomes a nanosecond; more than 292 years means no limit.
    return Duration.ofNanos(Math.max(1, Math.round(seconds * 1e9)));
  }

  private static double secondsOf(String unit) {
    return switch (unit) {
      case "m" -> 60;
      case "h" -> 3600;
      default -> 1;
    };
  }
}
