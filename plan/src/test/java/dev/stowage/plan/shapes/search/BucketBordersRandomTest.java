package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapePoints;
import dev.stowage.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the borders of buckets with all divisions of small ranges. */
class BucketBordersRandomTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_smallRanges_haveTheSmallestAverage(long seed) {
    Random random = new Random(seed);
    DimensionRanges ranges =
        random.nextBoolean()
            ? DimensionRanges.of(new DimensionRange("a", 1, random.nextInt(1, 14)))
            : DimensionRanges.of(
                new DimensionRange("a", 1, random.nextInt(1, 6)),
                new DimensionRange("b", 2, random.nextInt(2, 6)));
    long constant = random.nextInt(20);
    long factor = random.nextInt(1, 9);
    ToLongFunction<DimensionValues> bytes =
        shape -> {
          long product = 1;
          for (long value : shape.toMap().values()) {
            product *= value;
          }
          return constant + factor * product;
        };
    List<DimensionValues> shapes = ShapePoints.of(ranges);
    int buckets = random.nextInt(1, 4);

    List<DimensionRanges> parts =
        BucketBorders.of(
            ranges,
            buckets,
            shapes,
            shapes.stream().mapToLong(bytes).toArray(),
            bytes,
            () -> false);

    assertThat(parts).hasSizeLessThanOrEqualTo(buckets);
    for (DimensionValues shape : shapes) {
      assertThat(parts.stream().filter(part -> part.contains(shape))).hasSize(1);
    }
    double sum = parts.stream().mapToDouble(part -> excess(part, bytes)).sum();
    assertThat(sum).isCloseTo(smallest(ranges, buckets, bytes), within(1e-9));
  }

  /** Returns the sum of the excesses of a bucket over its shapes. */
  private static double excess(DimensionRanges part, ToLongFunction<DimensionValues> bytes) {
    long arena = bytes.applyAsLong(part.last());
    return ShapePoints.of(part).stream()
        .mapToDouble(shape -> (double) arena / bytes.applyAsLong(shape) - 1)
        .sum();
  }

  /** Tries all divisions. */
  private static double smallest(
      DimensionRanges ranges, int buckets, ToLongFunction<DimensionValues> bytes) {
    double smallest = excess(ranges, bytes);
    for (int lower = 1; lower < buckets; lower++) {
      for (DimensionRange range : ranges.ranges()) {
        for (long cut = range.first(); cut < range.last(); cut++) {
          double below =
              smallest(
                  ranges.with(new DimensionRange(range.name(), range.first(), cut)), lower, bytes);
          double above =
              smallest(
                  ranges.with(new DimensionRange(range.name(), cut + 1, range.last())),
                  buckets - lower,
                  bytes);
          smallest = Math.min(smallest, below + above);
        }
      }
    }
    return smallest;
  }
}
