package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Areas of bytes above each other, over an axis such as time.
 *
 * @param label the label of the axis
 * @param total the name of the sum of all areas
 * @param unit the distance on the axis that has the number 1
 * @param places the positions on the axis, ascending
 * @param titles the name of each position
 * @param areas the areas, the lowest first
 */
public record StackedAreas(
    String label, String total, long unit, List<Long> places, List<String> titles, List<Area> areas)
    implements PagePicture {

  /** The number of areas with a colour of their own. The style has one more for the others. */
  private static final int COLOURED = 8;

  /**
   * An area.
   *
   * @param bytes the bytes at each position
   */
  public record Area(String name, List<Long> bytes) {

    public Area {
      bytes = List.copyOf(bytes);
    }

    private long lastBytes() {
      return bytes.isEmpty() ? 0 : bytes.getLast();
    }

    private long mostBytes() {
      return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  /**
   * An area with its colour.
   *
   * @param colour the name of a colour of the style
   */
  record Layer(String name, String colour, List<Long> bytes) {}

  public StackedAreas {
    places = List.copyOf(places);
    titles = List.copyOf(titles);
    areas = List.copyOf(areas);
  }

  /** {@return the largest areas with their colours, above the sum of the others} */
  List<Layer> layers() {
    List<Area> shown = areas.stream().filter(area -> area.mostBytes() > 0).toList();
    List<Area> largest =
        shown.stream()
            .sorted(Comparator.comparingLong(Area::mostBytes).reversed())
            // One other area is shown itself.
            .limit(shown.size() == COLOURED + 1 ? COLOURED + 1 : COLOURED)
            .toList();
    // The colours are those of a bar of the last position (PartBars).
    List<Area> byLast =
        largest.stream().sorted(Comparator.comparingLong(Area::lastBytes).reversed()).toList();
    Set<String> names = largest.stream().map(Area::name).collect(Collectors.toSet());
    List<Layer> layers = new ArrayList<>();
    List<Area> others = shown.stream().filter(area -> !names.contains(area.name)).toList();
    if (!others.isEmpty()) {
      layers.add(
          new Layer(
              "others",
              colour(COLOURED),
              IntStream.range(0, places.size())
                  .mapToObj(i -> others.stream().mapToLong(area -> area.bytes.get(i)).sum())
                  .toList()));
    }
    for (Area area : shown) {
      if (names.contains(area.name)) {
        layers.add(new Layer(area.name, colour(byLast.indexOf(area)), area.bytes));
      }
    }
    return layers;
  }

  @Override
  public String markup() {
    List<Layer> layers = layers();
    double first = (double) places.getFirst();
    PlotArea area =
        new PlotArea(
            ChartDrawing.frame(false),
            new PlotArea.Range(first, Math.max(first + 1, places.getLast())),
            new PlotArea.Range(
                0,
                1.06
                    * IntStream.range(0, places.size())
                        .mapToLong(i -> sum(layers, i))
                        .reduce(1, Math::max)));
    ChartDrawing chart = new ChartDrawing(area, "img");
    // The key has the order of the areas from top to bottom.
    layers
        .reversed()
        .forEach(layer -> chart.key("swatch small", "background", layer.colour, layer.name));
    return chart.markup(
        label,
        Ticks.between(first / unit, (double) places.getLast() / unit, 10, 1).stream()
            .map(tick -> tick * unit)
            .toList(),
        tick -> Numbers.grouped(Math.round(tick / unit)),
        (plot, svg) -> {
          for (int i = layers.size() - 1; i >= 0; i--) {
            svg.markup("<g style=\"color:var(--" + layers.get(i).colour + ")\">");
            svg.path("area", path(layers.subList(0, i + 1), plot));
            svg.markup("</g>\n");
          }
          chart.writeHints(places, index -> hint(layers, index));
        });
  }

  private static long sum(List<Layer> layers, int index) {
    return layers.stream().mapToLong(layer -> layer.bytes.get(index)).sum();
  }

  /** {@return the area of a layer and all below it, in front of which those below it are drawn} */
  private CharSequence path(List<Layer> layers, PlotArea plot) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < places.size(); i++) {
      path.append(i == 0 ? 'M' : 'L').append(Svg.number(plot.x((double) places.get(i))));
      path.append(' ').append(Svg.number(plot.y((double) sum(layers, i))));
    }
    path.append('V').append(Svg.number(plot.frame().bottom()));
    return path.append('H').append(Svg.number(plot.frame().left())).append('z');
  }

  private String hint(List<Layer> layers, int index) {
    return titles.get(index)
        + "\n"
        + total
        + ": "
        + ByteUnit.exact(sum(layers, index))
        + layers.reversed().stream()
            .map(layer -> "\n" + layer.name + ": " + ByteUnit.exact(layer.bytes.get(index)))
            .collect(Collectors.joining());
  }

  private static String colour(int index) {
    return "group" + index;
  }
}
