package dev.stowage.plan.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares ranks and the load of pinned records with a loop over all tasks. */
class TaskRanksRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void taskRanks_anyRecords_keepTheConflicts(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).unsorted();
    TaskRanks ranks = TaskRanks.of(PlanProblem.of(records));
    assertThat(ranks.count())
        .isEqualTo(
            (int) records.stream().mapToLong(TensorUsageRecord::firstTask).distinct().count());
    for (TensorUsageRecord a : records) {
      int firstA = ranks.ofFirst(a.firstTask());
      int lastA = ranks.ofLast(a.lastTask());
      assertThat(firstA).isBetween(0, lastA);
      assertThat(lastA).isLessThan(ranks.count());
      for (TensorUsageRecord b : records) {
        int firstB = ranks.ofFirst(b.firstTask());
        int lastB = ranks.ofLast(b.lastTask());
        assertThat(firstA <= lastB && firstB <= lastA).isEqualTo(NaivePlanners.conflict(a, b));
        assertThat(Integer.compare(firstA, firstB))
            .isEqualTo(Long.compare(a.firstTask(), b.firstTask()));
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void ofLast_startsFarApart_isThatOfACount(long seed) {
    Random random = new Random(seed);
    long tasks = 1L << random.nextInt(63);
    long[] starts =
        random.longs(1 + random.nextInt(100), 0, tasks).map(t -> t >> random.nextInt(63)).toArray();
    TaskRanks ranks = TaskRanks.ofStarts(Arrays.stream(starts));
    LongStream.concat(Arrays.stream(starts), random.longs(100, 0, Long.MAX_VALUE))
        .flatMap(task -> LongStream.of(Math.max(0, task - 1), task, task >> random.nextInt(63)))
        .forEach(task ->
            assertThat(ranks.ofLast(task))
                .isEqualTo(
                    (int) Arrays.stream(starts).filter(s -> s <= task).distinct().count() - 1));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void pinnedLoad_overlappingPins_countsEveryByteOnce(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (TensorUsageRecord record : regime.unsorted()) {
      TensorUsageRecord small =
          TensorUsageRecord.of(record.bytes() % 50, record.firstTask(), record.lastTask());
      boolean isPinned = regime.random().nextInt(4) > 0;
      records.add(isPinned ? small.pinnedAt(regime.random().nextInt(80)) : small);
    }
    TaskRanks ranks = TaskRanks.of(PlanProblem.of(records));
    long[] bytes = PinnedLoad.of(records, ranks);
    long load = 0;
    for (int rank = 0; rank < ranks.count(); rank++) {
      BitSet taken = new BitSet();
      long movableBytes = 0;
      for (TensorUsageRecord record : records) {
        boolean isLive =
            ranks.ofFirst(record.firstTask()) <= rank && rank <= ranks.ofLast(record.lastTask());
        if (isLive && record.pinnedOffset().isPresent()) {
          int offset = (int) record.pinnedOffset().getAsLong();
          taken.set(offset, offset + (int) record.bytes());
        } else if (isLive) {
          movableBytes += record.bytes();
        }
      }
      assertThat(bytes[rank]).isEqualTo(taken.cardinality());
      load = Math.max(load, movableBytes + taken.cardinality());
    }
    assertThat(LowerBounds.of(PlanProblem.of(records)).offsetsBytes()).isEqualTo(load);
  }
}
