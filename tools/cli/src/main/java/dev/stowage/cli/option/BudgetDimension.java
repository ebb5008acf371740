package dev.stowage.cli.option;

import dev.stowage.budget.SampleAxis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A dimension with a size, a range or a list of sizes: {@code batch=1}, {@code batch=1..64}, {@code
 * seq=16,128,512}.
 */
record BudgetDimension(String name, List<Long> points, boolean isRange) {

  /** Reads a dimension. */
  static final class Converter implements ITypeConverter<BudgetDimension> {

    // A name may contain '='.
    private static final Pattern DIMENSION =
        Pattern.compile("(.+)=(\\d{1,18})(?:\\.\\.(\\d{1,18})|((?:,\\d{1,18})*))", Pattern.DOTALL);

    @Override
    public BudgetDimension convert(String value) {
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
        return new BudgetDimension(matcher.group(1), points(first, last), first < last);
      }
      List<Long> sizes = new ArrayList<>(List.of(first));
      if (!matcher.group(4).isEmpty()) {
        Arrays.stream(matcher.group(4).substring(1).split(",", -1))
            .map(Long::parseLong)
            .forEach(sizes::add);
      }
      List<Long> sorted = sizes.stream().sorted().distinct().toList();
      if (sorted.size() > 1 && sorted.getFirst() < 1) {
        throw rejected(value, "has the size 0 in a list");
      }
      return new BudgetDimension(matcher.group(1), sorted, false);
    }

    private static TypeConversionException rejected(String value, String problem) {
      return new TypeConversionException(
          String.format(
              Locale.ROOT,
              "'%s' %s, expected one such as batch=1, batch=1..64 or seq=16,128,512",
              value,
              problem));
    }
  }

  /** The number of sizes of a range that are all points. */
  private static final int MAX_SINGLE = 4;

  /** {@return the first size of a range, its doubles, and the last size} */
  private static List<Long> points(long first, long last) {
    List<Long> points = new ArrayList<>();
    long next = first;
    while (next < last) {
      points.add(next);
      next = last - first < MAX_SINGLE ? next + 1 : next > last / 2 ? last : next * 2;
    }
    points.add(last);
    return points;
  }

  /** {@return true if the dimension has several sizes} */
  boolean isOpen() {
    return points.size() > 1;
  }

  SampleAxis toAxis() {
    return new SampleAxis(name, points);
  }

  /** {@return the dimension and its points as on the command line: {@code seq=16,128,512}} */
  @Override
  public String toString() {
    return name + "=" + points.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
