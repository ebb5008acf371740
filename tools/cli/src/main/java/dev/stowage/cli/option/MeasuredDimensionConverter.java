package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;

/**
 * Reads a dimension with a size, a range or a list of sizes: {@code batch=1}, {@code batch=1..64},
 * {@code seq=16,128,512}.
 */
final class MeasuredDimensionConverter implements ITypeConverter<MeasuredDimension> {

  // A name may contain '='.
  private static final Pattern LIST =
      Pattern.compile("(.+)=([1-9]\\d{0,17}(?:,[1-9]\\d{0,17})+)", Pattern.DOTALL);

  /** The number of sizes of a range that are all measured. */
  private static final int MAX_SINGLE = 4;

  /** The most sizes of a range that are measured. */
  private static final int MAX_SIZES = 9;

  @Override
  public MeasuredDimension convert(String value) {
    Matcher list = LIST.matcher(value);
    if (list.matches()) {
      Stream<Long> sizes = Arrays.stream(list.group(2).split(",", -1)).map(Long::valueOf);
      return new MeasuredDimension(list.group(1), sizes.sorted().distinct().toList(), false);
    }
    DimensionOption one = new DimensionOption.Converter().convert(value);
    return new MeasuredDimension(one.name(), sizes(one.first(), one.last()), one.isRange());
  }

  /** {@return the first size of a range, larger ones in equal proportions, and the last size} */
  private static List<Long> sizes(long first, long last) {
    TreeSet<Long> sizes = new TreeSet<>(List.of(last));
    if (last - first < MAX_SINGLE) {
      LongStream.range(first, last).forEach(sizes::add);
    } else {
      double factor = Math.max(2, Math.pow((double) last / first, 1.0 / (MAX_SIZES - 1)));
      for (double next = first; next < last; next *= factor) {
        sizes.add(Math.round(next));
      }
    }
    return List.copyOf(sizes);
  }
}
