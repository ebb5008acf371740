package dev.stowage.cli.input;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ranges of dimensions in the headers of CSV: {@code batch=1..8 seq=1..512}. */
public final class RangeText {

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

  private static final Pattern RANGE =
      Pattern.compile(
          "\\s*('(?:[^']|'')+'|[A-Za-z_][A-Za-z0-9_.]*)=(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");

  private RangeText() {}

  public static String of(DimensionRanges ranges) {
    return ranges.ranges().stream().map(RangeText::of).collect(Collectors.joining(" "));
  }

  private static String of(DimensionRange range) {
    String name =
        PLAIN_NAME.matcher(range.name()).matches()
            ? range.name()
            : "'" + range.name().replace("'", "''") + "'";
    return String.format(Locale.ROOT, "%s=%d..%d", name, range.first(), range.last());
  }

  /**
   * {@return the ranges of a text}
   *
   * @throws IllegalArgumentException if the text is not a list of ranges
   */
  static DimensionRanges parse(String text) {
    List<DimensionRange> ranges = new ArrayList<>();
    Matcher matcher = RANGE.matcher(text);
    int position = 0;
    while (position < text.length()) {
      matcher.region(position, text.length());
      if (!matcher.lookingAt()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "expected ranges of dimensions such as batch=1..8 seq=1..512, found '%s'",
                text));
      }
      String name = matcher.group(1);
      long first = Long.parseLong(matcher.group(2));
      long last = matcher.group(3) == null ? first : Long.parseLong(matcher.group(3));
      ranges.add(
          new DimensionRange(
              name.startsWith("'") ? name.substring(1, name.length() - 1).replace("''", "'") : name,
              first,
              last));
      position = matcher.end();
    }
    return new DimensionRanges(ranges);
  }
}
