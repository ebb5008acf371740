package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchPlanTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyCosts_hasEachLineOnceAndNoBatchAboveItsShare(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int lineCount = 1 + random.nextInt(2000);
    long range = 1L << random.nextInt(40);
    long[] costs = random.longs(lineCount, 0, range).map(c -> -c).sorted().map(c -> -c).toArray();
    long[] ends = new long[lineCount];
    long end = 0;
    for (int i = 0; i < lineCount; i++) {
      end += 1 + random.nextInt(500);
      ends[i] = end;
    }
    int slots = 1 + random.nextInt(8);

    List<Batch> batches = BatchPlan.of(costs, ends, slots).batches();

    int line = 0;
    long offset = 0;
    for (int i = 0; i < batches.size(); i++) {
      Batch batch = batches.get(i);
      assertThat(batch.number()).isEqualTo(i);
      assertThat(batch.firstByte()).isEqualTo(offset);
      assertThat(batch.itemCount()).isBetween(1, BatchPlan.MOST_ITEMS);
      long remaining = LongStream.of(costs).skip(line).map(cost -> cost + 1).sum();
      long taken = LongStream.of(costs).skip(line).limit(batch.itemCount()).map(c -> c + 1).sum();
      if (batch.itemCount() > 1) {
        assertThat(taken * 16 * slots).isLessThanOrEqualTo(remaining);
      }
      line += batch.itemCount();
      offset = batch.endByte();
      assertThat(offset).isEqualTo(ends[line - 1]);
    }
    assertThat(line).isEqualTo(lineCount);
  }

  @Test
  void of_tenMillionEqualItems_hasFewBatches() {
    int lineCount = 10_000_000;
    long[] costs = new long[lineCount];
    Arrays.fill(costs, 100);
    long[] ends = IntStream.rangeClosed(1, lineCount).mapToLong(i -> 300L * i).toArray();

    BatchPlan plan = BatchPlan.of(costs, ends, 64);

    assertThat(plan.itemCount()).isEqualTo(lineCount);
    assertThat(plan.batches().size()).isEqualTo(45_326);
  }

  @Test
  void of_costsWhoseSumExceedsALong_hasABatchForEachItem() {
    long[] costs = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0};

    List<Batch> batches = BatchPlan.of(costs, new long[] {1, 2, 3, 4}, 1).batches();

    assertThat(batches)
        .containsExactly(
            new Batch(0, 0, 1, 1),
            new Batch(1, 1, 2, 1),
            new Batch(2, 2, 3, 1),
            new Batch(3, 3, 4, 1));
  }

  @Test
  void of_noLines_isEmpty() {
    assertThat(BatchPlan.of(new long[0], new long[0], 1).batches()).isEmpty();
  }

  @Test
  void of_noSlots_isRejected() {
    assertThatThrownBy(() -> BatchPlan.of(new long[0], new long[0], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slotCount must be positive: slotCount=0");
  }
}
