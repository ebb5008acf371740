package dev.stowage.cli.option;

import dev.stowage.cli.input.GivenDimensions;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** A dimension and its size or range: {@code batch=1}, {@code input[0]=1}, {@code batch=1..32}. */
public record DimensionOption(String name, long first, long last) {

  /** Reads a dimension and its size or range. */
  public static final class Converter implements ITypeConverter<DimensionOption> {

    // A name is not blank, and may contain '='.
    private static final Pattern DIMENSION =
        Pattern.compile("(.*\\S.*)=(\\d{1,18})(?:\\.\\.(\\d{1,18}))?", Pattern.DOTALL);

    @Override
    public DimensionOption convert(String value) {
      Matcher matcher = DIMENSION.matcher(value);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            Text.of(
                "'%s' is not a dimension with its size, expected one such as batch=1, batch=1..32 or input[0]=1",
                value));
      }
      long first = Long.parseLong(matcher.group(2));
      long last = matcher.group(3) == null ? first : Long.parseLong(matcher.group(3));
      if (first < 1 || first > last) {
        throw new TypeConversionException(
            Text.of(
                "'%s' has the size%s, expected 1 or more, the smaller size first, such as batch=1 or batch=1..32",
                value, first == last ? " " + first : "s " + first + ".." + last));
      }
      return new DimensionOption(matcher.group(1), first, last);
    }
  }

  boolean isRange() {
    return first < last;
  }

  /** {@return the value as the option has it} */
  @Override
  public String toString() {
    return name + "=" + first + (isRange() ? ".." + last : "");
  }

  /** Throws if two of the options have the same dimension. */
  static void checkDifferent(List<String> names, CommandSpec spec) {
    Set<String> different = new HashSet<>();
    for (String name : names) {
      if (!different.add(name)) {
        throw Usage.error(spec, "--dim sets '%s' twice, expected once", name);
      }
    }
  }

  /** {@return different dimensions with their ranges or sizes} */
  public static GivenDimensions given(List<DimensionOption> dimensions, CommandSpec spec) {
    checkDifferent(dimensions.stream().map(DimensionOption::name).toList(), spec);
    return GivenDimensions.of(
        new DimensionRanges(
            dimensions.stream()
                .map(each -> new DimensionRange(each.name, each.first, each.last))
                .toList()));
  }
}
