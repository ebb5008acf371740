package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.StackedAreas.Area;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The areas of a chart and their colours. */
class StackedAreasTest {

  private static StackedAreas of(List<Area> areas) {
    return new StackedAreas("seconds", "sum", 1000, List.of(0L, 5L), List.of("a", "b"), areas);
  }

  private static List<Area> areas(int count) {
    return LongStream.range(1, count + 1)
        .mapToObj(i -> new Area("area " + i, List.of(i, i * 10)))
        .toList();
  }

  private static List<String> names(StackedAreas areas) {
    return areas.layers().stream().map(layer -> layer.name() + " " + layer.colour()).toList();
  }

  @Test
  void layers_ofFewAreas_keepTheirOrder() {
    assertThat(names(of(areas(3))))
        .containsExactly("area 1 group2", "area 2 group1", "area 3 group0");
  }

  @Test
  void layers_ofAreasWithoutBytes_areNone() {
    assertThat(names(of(List.of(new Area("none", List.of(0L, 0L)))))).isEmpty();
  }

  @Test
  void layers_ofNineAreas_showAll() {
    assertThat(names(of(areas(9)))).hasSize(9).startsWith("area 1 group8");
  }

  @Test
  void layers_ofManyAreas_addTheSmallestToOneAtTheBottom() {
    List<StackedAreas.Layer> layers = of(areas(11)).layers();

    assertThat(layers).hasSize(9);
    assertThat(layers.getFirst())
        .isEqualTo(new StackedAreas.Layer("others", "group8", List.of(1L + 2 + 3, 60L)));
    assertThat(layers.getLast().name()).isEqualTo("area 11");
  }
}
