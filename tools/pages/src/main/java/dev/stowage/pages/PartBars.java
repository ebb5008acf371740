package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
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
    implements PagePicture {

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

  public PartBars {
    names = List.copyOf(names);
    bars = List.copyOf(bars);
  }

  /**
   * {@return the largest parts, in the order of their bytes in the first bar, and then the next}
   */
  private List<Integer> coloured() {
    return IntStream.range(0, names.size())
        .boxed()
        .filter(part -> mostBytes(part) > 0)
        .sorted(Comparator.comparingLong(this::mostBytes).reversed())
        .limit(COLOURED)
        .sorted(order())
        .toList();
  }

  private Comparator<Integer> order() {
    Comparator<Integer> order = Comparator.comparingInt(_ -> 0);
    for (Bar bar : bars) {
      order = order.thenComparing(Comparator.<Integer>comparingLong(bar.bytes::get).reversed());
    }
    return order;
  }

  private long mostBytes(int part) {
    return bars.stream().mapToLong(bar -> bar.bytes.get(part)).max().orElse(0);
  }

  @Override
  public String markup() {
    List<Integer> coloured = coloured();
    List<Integer> others =
        IntStream.range(0, names.size())
            .filter(part -> mostBytes(part) > 0 && !coloured.contains(part))
            .boxed()
            .toList();
    long most = Math.max(1, bars.stream().mapToLong(Bar::totalBytes).max().orElse(1));
    boolean isNear = limitBytes.orElse(0) / MOST_ROOM <= most;
    long end = isNear ? Math.max(most, limitBytes.orElse(0)) : most;
    StringBuilder html = new StringBuilder("<div class=\"parts\">\n");
    for (Bar bar : bars) {
      html.append("<span>" + MarkupText.escaped(bar.name) + "</span><span>")
          .append(ByteUnit.human(bar.totalBytes()) + "</span><div class=\"part-bar\">");
      for (int i = 0; i < coloured.size(); i++) {
        long bytes = bar.bytes.get(coloured.get(i));
        html.append(segment(names.get(coloured.get(i)), i, bytes, end));
      }
      html.append(
          segment("others", COLOURED, others.stream().mapToLong(bar.bytes::get).sum(), end));
      if (limitBytes.isPresent() && isNear) {
        html.append("<b style=\"left:" + percent(limitBytes.getAsLong(), end) + "\"></b>");
      }
      html.append("</div>\n");
    }
    html.append("</div>\n<p class=\"key\">");
    for (int i = 0; i < coloured.size(); i++) {
      html.append(key(names.get(coloured.get(i)), i, List.of(coloured.get(i))));
    }
    if (!others.isEmpty()) {
      html.append(key("others", COLOURED, others));
    }
    limitBytes.ifPresent(limit ->
        html.append(
            MarkupText.key(
                "stroke",
                "border-color:var(--capacity)",
                "limit " + ByteUnit.human(limit) + (isNear ? "" : ", far to the right"))));
    return html.append("</p>\n").toString();
  }

  private static String segment(String name, int colour, long bytes, long end) {
    return bytes == 0
        ? ""
        : Text.of(
            "<i style=\"width:%s;background:var(--group%d)\" title=\"%s: %s\"></i>",
            percent(bytes, end), colour, MarkupText.escaped(name), ByteUnit.exact(bytes));
  }

  /** {@return the key of some parts, with their bytes if there is one bar} */
  private String key(String name, int colour, List<Integer> parts) {
    String bytes =
        bars.size() == 1
            ? " "
                + ByteUnit.human(
                    parts.stream().mapToLong(part -> bars.getFirst().bytes.get(part)).sum())
            : "";
    return MarkupText.key("swatch small", "background:var(--group" + colour + ")", name + bytes);
  }

  private static String percent(long bytes, long end) {
    return Text.of("%.3f%%", 100.0 * bytes / end);
  }
}
