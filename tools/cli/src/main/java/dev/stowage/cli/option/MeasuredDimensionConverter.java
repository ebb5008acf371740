package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a dimension with a size, a range or a list of sizes: {@code batch=1}, {@code batch=1..64},
 * {@code seq=16,128,512}.
 */
final class MeasuredDimensionConverter implements ITypeConverter<MeasuredDimension> {

  // A name may contain '='.
  private static final Pattern DIMENSION =
      Pattern.compile("(.+)=(\\d{1,18})(?:\\.\\.(\\d{1,18})|((?:,\\d{1,18})*))", Pattern.DOTALL);

  /** The number of sizes of a range that are all measured. */
  private static final int MAX_SINGLE = 4;

  /** The most sizes of a range that are measured. */
  private static final int MAX_SIZES = 9;

  @Override
  public MeasuredDimension convert(String value) {
    Matcher matcher = DIMENSION.matcher(value);
    if (!matcher.matches()) {
      throw rejected(value, "is not a dimension with its sizes");
    }
    long first = Long.parseLong(matcher.group(2));
    if (matcher.group(3) != null) {
      long last = Long.parseLong(matcher.group(3));
      if (first < 1 || first > last) {
        throw rejected(value, "has no range of at least 1 that ascends");
      }
      return new MeasuredDimension(matcher.group(1), sizes(first, last), first < last);
    }
    List<Long> sizes =
        Arrays.stream((first + matcher.group(4)).split(",", -1))
            .map(Long::valueOf)
            .sorted()
            .distinct()
            .toList();
    if (sizes.size() > 1 && sizes.getFirst() < 1) {
      throw rejected(value, "has the size 0 in a list");
    }
    return new MeasuredDimension(matcher.group(1), sizes, false);
  }

  private static TypeConversionException rejected(String value, String problem) {
    return new TypeConversionException(
        String.format(
            Locale.ROOT,
            "'%s' %s, expected one such as batch=1, batch=1..64 or seq=16,128,512",
            value,
            problem));
  }

  /** {@return the first size of a range, larger ones in equal proportions, and the last size} */
  private static List<Long> sizes(long first, long last) {
    List<Long> sizes = new ArrayList<>();
    sizes.add(first);
    if (last - first < MAX_SINGLE) {
      for (long next = first + 1; next <= last; next++) {
        sizes.add(next);
      }
      return sizes;
    }
    int doublings = (int) Math.ceil(Math.log((double) last / first) / Math.log(2));
    int steps = Math.clamp(doublings, 2, MAX_SIZES - 1);
    double factor = doublings <= MAX_SIZES - 1 ? 2 : Math.pow((double) last / first, 1.0 / steps);
    double exact = first;
    for (int i = 1; i < steps; i++) {
      exact *= factor;
      long next = Math.round(exact);
      if (next > sizes.getLast() && next < last) {
        sizes.add(next);
      }
    }
    sizes.add(last);
    return sizes;
  }
}
