package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketBordersTest {

  private static final DimensionRanges RANGES =
      DimensionRanges.of(new DimensionRange("n", 1, 1_000_000));

  /** Divides the range and returns the number of arenas that were computed. */
  private static int arenaCount(boolean isStopped) {
    List<DimensionValues> shapes = ShapeSample.of(RANGES);
    List<DimensionValues> arenas = new ArrayList<>();
    List<DimensionRanges> parts =
        BucketBorders.of(
            RANGES,
            4,
            shapes,
            shapes.stream().mapToLong(shape -> shape.get("n")).toArray(),
            shape -> {
              arenas.add(shape);
              return shape.get("n");
            },
            () -> isStopped);
    assertThat(parts).hasSize(4);
    assertThat(RANGES.firstOutside(parts)).isEmpty();
    return arenas.size();
  }

  @Test
  void of_stopped_computesTheArenasOfTheGridOnly() {
    int all = arenaCount(false);

    assertThat(arenaCount(true)).isLessThanOrEqualTo(GridDivision.MAX_VALUES + 1).isLessThan(all);
  }
}
