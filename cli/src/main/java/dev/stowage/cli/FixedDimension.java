package dev.stowage.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A dimension of a model and its size: {@code batch=1}, {@code input[0]=1}. */
record FixedDimension(String name, long size) {

  /** Reads a dimension and its size. */
  static final class Converter implements ITypeConverter<FixedDimension> {

    // A name may contain '='.
    private static final Pattern FIXED = Pattern.compile("(.+)=(\\d{1,18})", Pattern.DOTALL);

    @Override
    public FixedDimension convert(String value) {
      Matcher matcher = FIXED.matcher(value);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            String.format(
                Locale.ROOT,
                "'%s' is not a dimension with its size, expected one such as batch=1 or input[0]=1",
                value));
      }
      return new FixedDimension(matcher.group(1), Long.parseLong(matcher.group(2)));
    }
  }
}
