package dev.stowage.cli.option;

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

  /** The most sizes of a range that are measured. */
  private static final int MAX_POINTS = 9;

  /** {@return the first size of a range, larger ones in equal proportions, and the last size} */
  private static List<Long> points(long first, long last) {
    List<Long> points = new ArrayList<>();
    points.add(first);
    if (last - first < MAX_SINGLE) {
      for (long next = first + 1; next <= last; next++) {
        points.add(next);
      }
      return points;
    }
    int doublings = (int) Math.ceil(Math.log((double) last / first) / Math.log(2));
    int steps = Math.clamp(doublings, 2, MAX_POINTS - 1);
    double factor = doublings <= MAX_POINTS - 1 ? 2 : Math.pow((double) last / first, 1.0 / steps);
    double exact = first;
    for (int i = 1; i < steps; i++) {
      exact *= factor;
      long next = Math.round(exact);
      if (next > points.getLast() && next < last) {
        points.add(next);
      }
    }
    points.add(last);
    return points;
  }

  /** {@return the dimension and its points as on the command line: {@code seq=16,128,512}} */
  @Override
  public String toString() {
    return name + "=" + points.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
