package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.PartBytes;
import dev.stowage.budget.SampleAxis;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes that are added to ranges, compared with the bytes of all sizes. */
final class RefinedAxesTest {

  private static final DimensionValues NO_DIMENSIONS = DimensionValues.of(Map.of());
  private static final long MEBIBYTE = 1L << 20;
  private static final SampleAxis BATCH =
      new SampleAxis("batch", List.of(1L, 2L, 4L, 8L, 16L, 40L));

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private static RefinedAxes refined(ToLongFunction<DimensionValues> bytes) {
    return RefinedAxes.of(List.of(BATCH), Set.of("batch"), NO_DIMENSIONS, 2_000, bytes);
  }

  @Test
  void of_bytesBelowAnInterpolation_addsNoSizes() {
    RefinedAxes unchanged = new RefinedAxes(List.of(BATCH), true);

    assertThat(refined(shape -> MEBIBYTE * shape.get("batch"))).isEqualTo(unchanged);
    assertThat(refined(shape -> MEBIBYTE * shape.get("batch") * shape.get("batch")))
        .isEqualTo(unchanged);
    assertThat(refined(shape -> MEBIBYTE * (64 - shape.get("batch")))).isEqualTo(unchanged);
  }

  @Test
  void of_largestBytesBetweenTwoSizes_addsTheSizeOfTheLargest() {
    RefinedAxes refined =
        refined(shape -> MEBIBYTE * shape.get("batch") * (48 - shape.get("batch")));

    assertThat(refined.axes().getFirst().points()).containsAll(BATCH.points()).contains(24L);
    assertThat(refined.isComplete()).isTrue();
  }

  @Test
  void of_aList_addsNoSizes() {
    assertThat(
            RefinedAxes.of(
                List.of(BATCH),
                Set.of(),
                NO_DIMENSIONS,
                2_000,
                shape -> shape.get("batch") == 3 ? MEBIBYTE : 0))
        .isEqualTo(new RefinedAxes(List.of(BATCH), true));
  }

  @Test
  void of_bytesThatRiseAndFallTooOften_isNotComplete() {
    RefinedAxes refined =
        RefinedAxes.of(
            List.of(new SampleAxis("batch", List.of(1L, 1_000_000L))),
            Set.of("batch"),
            NO_DIMENSIONS,
            2_000,
            shape -> MEBIBYTE * (shape.get("batch") * 7_919 % 1_009));

    assertThat(refined.isComplete()).isFalse();
    assertThat(refined.axes().getFirst().points()).hasSizeBetween(10, 400);
  }

  @Test
  void of_twoRanges_findsASizeAtEachSizeOfTheOther() {
    ToLongFunction<DimensionValues> bytes =
        shape ->
            shape.get("length") == 1
                ? MEBIBYTE * (40 - Math.abs(32 - shape.get("batch")))
                : MEBIBYTE;

    RefinedAxes refined =
        RefinedAxes.of(
            List.of(BATCH, new SampleAxis("length", List.of(1L, 2L))),
            Set.of("batch", "length"),
            NO_DIMENSIONS,
            2_000,
            bytes);

    assertThat(refined.axes().getFirst().points()).contains(32L);
    assertThat(refined.isComplete()).isTrue();
  }

  /** The bytes are a random sum of tents, whose tops are anywhere. */
  @ParameterizedTest
  @MethodSource("seeds")
  void of_randomBytes_addsSizesForAnInterpolationOfAll(long seed) {
    Random random = new Random(seed);
    List<long[]> tents = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      tents.add(new long[] {1 + random.nextInt(40), 1 + random.nextInt(20), random.nextInt(99)});
    }
    ToLongFunction<DimensionValues> bytes =
        shape -> {
          long sum = MEBIBYTE;
          for (long[] tent : tents) {
            long height = Math.max(0, tent[1] - Math.abs(shape.get("batch") - tent[0]));
            sum += height * tent[2] * (MEBIBYTE / 8);
          }
          return sum;
        };

    RefinedAxes refined = refined(bytes);

    assertThat(refined.isComplete()).isTrue();
    SampleAxis axis = refined.axes().getFirst();
    PartBytes samples =
        PartBytes.sampled(
            List.of(axis),
            axis.points().stream()
                .mapToLong(size -> bytes.applyAsLong(DimensionValues.of("batch", size)))
                .toArray());
    for (long size = 1; size <= 40; size++) {
      DimensionValues shape = DimensionValues.of("batch", size);
      long interpolated = samples.at(shape);
      assertThat(bytes.applyAsLong(shape))
          .isLessThanOrEqualTo(interpolated + Math.max(MEBIBYTE / 4, interpolated / 50) + 1);
    }
  }
}
