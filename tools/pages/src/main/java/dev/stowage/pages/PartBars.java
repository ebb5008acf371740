package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Bars of the same parts, one below the other, as HTML that needs no scripts.
 *
 * @param names the names of the parts
 * @param bars the bars, each with the bytes of all parts
 * @param limitBytes the position of a line across the bars, if there is one
 */
public record PartBars(List<String> names, List<Bar> bars, OptionalLong limitBytes)
    implements PagePart {

  /** A limit of more than this number of times the largest bar is not within the chart. */
  private static final int MOST_ROOM = 4;

  /** The number of parts with a colour of their own. The style has one more for the others. */
  private static final int COLOURED = 8;

  /**
   * A bar.
   *
   * @param bytes the bytes of each part
   */
  public record Bar(String name, List<Long> bytes) {

    long totalBytes() {
      return bytes.stream().mapToLong(Long::longValue).sum();
    }
  }

  /** A part, or the sum of the others, with its bytes in each bar. */
  private record Segment(String name, List<Long> bytes) {

    long mostBytes() {
      return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  public PartBars {
    names = List.copyOf(names);
    bars = List.copyOf(bars);
  }

  /** {@return the parts, the largest first, and the sum of the parts without a colour} */
  private List<Segment> segments() {
    List<Segment> parts =
        IntStream.range(0, names.size())
            .mapToObj(
                i -> new Segment(names.get(i), bars.stream().map(bar -> bar.bytes.get(i)).toList()))
            .filter(part -> part.mostBytes() > 0)
            .sorted(Comparator.comparingLong(Segment::mostBytes).reversed())
            .toList();
    if (parts.size() <= COLOURED + 1) {
      return parts;
    }
    List<Segment> others = parts.subList(COLOURED, parts.size());
    List<Segment> segments = new ArrayList<>(parts.subList(0, COLOURED));
    segments.add(
        new Segment(
            "others",
            IntStream.range(0, bars.size())
                .mapToObj(i -> others.stream().mapToLong(part -> part.bytes.get(i)).sum())
                .toList()));
    return segments;
  }

  @Override
  public String markup() {
    List<Segment> segments = segments();
    long most = Math.max(1, bars.stream().mapToLong(Bar::totalBytes).max().orElse(1));
    boolean isNear = limitBytes.orElse(0) / MOST_ROOM <= most;
    long end = isNear ? Math.max(most, limitBytes.orElse(0)) : most;
    StringBuilder html = new StringBuilder("<div class=\"parts\">\n");
    for (int bar = 0; bar < bars.size(); bar++) {
      html.append("<span>" + MarkupText.escaped(bars.get(bar).name) + "</span><span>")
          .append(ByteUnit.human(bars.get(bar).totalBytes()))
          .append("</span><div class=\"part-bar\">");
      for (int i = 0; i < segments.size(); i++) {
        html.append(segment(segments.get(i).name, i, segments.get(i).bytes.get(bar), end));
      }
      if (limitBytes.isPresent() && isNear) {
        html.append("<b style=\"left:" + percent(limitBytes.getAsLong(), end) + "\"></b>");
      }
      html.append("</div>\n");
    }
    html.append("</div>\n<p class=\"key\">");
    for (int i = 0; i < segments.size(); i++) {
      Segment part = segments.get(i);
      String bytes = bars.size() == 1 ? " " + ByteUnit.human(part.bytes.getFirst()) : "";
      html.append(MarkupText.key("swatch small", colour(i), part.name + bytes));
    }
    limitBytes.ifPresent(limit ->
        html.append(
            MarkupText.key(
                "stroke",
                "border-color:var(--capacity)",
                "limit " + ByteUnit.human(limit) + (isNear ? "" : ", far to the right"))));
    return html.append("</p>\n").toString();
  }

  private static String segment(String name, int index, long bytes, long end) {
    return bytes == 0
        ? ""
        : Text.of(
            "<i style=\"width:%s;%s\" title=\"%s: %s\"></i>",
            percent(bytes, end), colour(index), MarkupText.escaped(name), ByteUnit.exact(bytes));
  }

  private static String colour(int index) {
    return "background:var(--group" + index + ")";
  }

  private static String percent(long bytes, long end) {
    return Text.of("%.3f%%", 100.0 * bytes / end);
  }
}
