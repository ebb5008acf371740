package dev.stowage.pages;

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
    String label,
    String total,
    long unit,
    List<Long> places,
    List<String> titles,
    List<Area> areas) {

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

  private static String colour(int index) {
    return "group" + index;
  }
}
