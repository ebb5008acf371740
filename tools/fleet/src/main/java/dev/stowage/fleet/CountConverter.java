package dev.stowage.fleet;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of workers or threads, from 1 to 10,000. */
final class CountConverter implements ITypeConverter<Integer> {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
  private static final int MOST = 10_000;

  @Override
  public Integer convert(String value) {
    int count = NUMBER.matcher(value).matches() ? Integer.parseInt(value) : 0;
    if (count < 1 || count > MOST) {
      throw new TypeConversionException("'" + value + "' is not a number from 1 to " + MOST);
    }
    return count;
  }
}
