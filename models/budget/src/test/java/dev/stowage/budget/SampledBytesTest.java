package dev.stowage.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.Seeds;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SampledBytesTest {

  /*
   *   seq      16    32
   *   batch 1  100   300
   *   batch 3  200   600
   */
  private static final PartBytes GRID =
      PartBytes.sampled(
          List.of(
              new SampleAxis("batch", List.of(1L, 3L)), new SampleAxis("seq", List.of(16L, 32L))),
          new long[] {100, 300, 200, 600});

  private static DimensionValues shape(long batch, long seq) {
    return DimensionValues.of(Map.of("batch", batch, "seq", seq));
  }

  @Test
  void at_pointsOfTheGrid_areExact() {
    assertThat(GRID.at(shape(1, 16))).isEqualTo(100);
    assertThat(GRID.at(shape(1, 32))).isEqualTo(300);
    assertThat(GRID.at(shape(3, 16))).isEqualTo(200);
    assertThat(GRID.at(shape(3, 32))).isEqualTo(600);
  }

  @Test
  void at_betweenPoints_isTheMeanOfTheCorners() {
    assertThat(GRID.at(shape(2, 16))).isEqualTo(150);
    assertThat(GRID.at(shape(2, 24))).isEqualTo(300);
    assertThat(GRID.at(shape(1, 17))).isEqualTo(113); // 112.5
  }

  @Test
  void at_outsideOfTheGrid_isRejected() {
    assertThatThrownBy(() -> GRID.at(shape(4, 16)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dimension 'batch' must be from 1 to 3: batch=4");
  }

  @Test
  void axis_pointsThatDoNotAscend_areRejected() {
    assertThatThrownBy(() -> new SampleAxis("n", List.of(2L, 2L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the points of dimension 'n' must be positive and ascend: points=[2, 2]");
  }

  @Test
  void at_hugeValues_areExact() {
    PartBytes huge =
        PartBytes.sampled(
            List.of(new SampleAxis("n", List.of(1L, Long.MAX_VALUE))),
            new long[] {0, Long.MAX_VALUE - 1});

    assertThat(huge.at(DimensionValues.of("n", Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(huge.at(DimensionValues.of("n", Long.MAX_VALUE - 1))).isEqualTo(Long.MAX_VALUE - 2);
    assertThat(huge.at(DimensionValues.of("n", 2))).isEqualTo(1);
  }

  @Test
  void sampled_wrongGrids_areRejected() {
    SampleAxis axis = new SampleAxis("n", List.of(1L, 2L));
    assertThatThrownBy(() -> PartBytes.sampled(List.of(axis), new long[] {1, -2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the bytes of a sample must not be negative: bytes=-2");
    assertThatThrownBy(() -> PartBytes.sampled(List.of(axis, axis), new long[4]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dimension 'n' has two axes, expected one");
    assertThatThrownBy(() -> PartBytes.sampled(Collections.nCopies(9, axis), new long[4]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("samples must have at most 8 axes: axes=9");
    assertThatThrownBy(() -> new SampleAxis("n", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dimension 'n' has no points, expected at least one");
  }

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** Sizes of tensors are products and powers of dimensions with rounded factors. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void at_sizesThatGrowLikePolynomials_areNotSmallerThanTheSizes(long seed) {
    Random random = new Random(seed);
    long a = random.nextInt(50);
    long b = random.nextInt(20);
    long c = random.nextInt(5);
    LongBinaryOperator size = (batch, seq) -> a * batch * seq + b * batch * seq * seq + c * batch;
    List<Long> batches = ascending(random);
    List<Long> seqs = ascending(random);
    long[] values = new long[batches.size() * seqs.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = size.applyAsLong(batches.get(i / seqs.size()), seqs.get(i % seqs.size()));
    }
    PartBytes sampled =
        PartBytes.sampled(
            List.of(new SampleAxis("batch", batches), new SampleAxis("seq", seqs)), values);

    for (int i = 0; i < 50; i++) {
      long batch = random.nextLong(batches.getFirst(), batches.getLast() + 1);
      long seq = random.nextLong(seqs.getFirst(), seqs.getLast() + 1);
      assertThat(sampled.at(shape(batch, seq)))
          .isGreaterThanOrEqualTo(size.applyAsLong(batch, seq));
    }
  }

  private static List<Long> ascending(Random random) {
    return random.longs(1 + random.nextInt(4), 1, 200).sorted().distinct().boxed().toList();
  }
}
