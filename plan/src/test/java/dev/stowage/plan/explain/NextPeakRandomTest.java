package dev.stowage.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The next lower peak, compared with the live bytes of each task. */
class NextPeakRandomTest {

  private static final int TASK_COUNT = 9;

  static LongStream seeds() {
    return Seeds.of(3_000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyRecords_isThePeakOfThoseThatAreNotInTheWay(long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      int first = random.nextInt(TASK_COUNT);
      int last = first + random.nextInt(TASK_COUNT - first);
      TensorUsageRecord record = TensorUsageRecord.of(random.nextInt(5), first, last);
      records.add(random.nextBoolean() ? record.withGaps(gaps(record, random)) : record);
    }
    List<Integer> conflict = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (random.nextInt(3) == 0) {
        conflict.add(i);
      }
    }
    PlanProblem problem = PlanProblem.of(records);
    LoadPeak peak = LoadPeak.of(problem);

    NextPeak next = NextPeak.of(problem, peak, conflict);

    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (!conflict.contains(i)) {
        left.add(i);
      }
    }
    boolean isLower = most(records, left) < most(records, all(records));
    if (!isLower) {
      left = all(records);
      left.removeIf(i -> isLiveAtPeak(records, i));
    }
    assertThat(next.isWithoutAllLive()).isEqualTo(!isLower);
    assertThat(next.load().bytes()).as("%s", problem).isEqualTo(most(records, left));
    for (LoadPeak.TaskRange range : next.load().tasks()) {
      for (long task = range.firstTask(); task <= range.lastTask(); task++) {
        assertThat(live(records, left, task)).isEqualTo(next.load().bytes());
      }
    }
  }

  /** {@return up to two gaps that do not overlap, most of them with a window} */
  private static List<Gap> gaps(TensorUsageRecord record, Random random) {
    List<Gap> gaps = new ArrayList<>();
    long from = record.firstTask();
    while (from <= record.lastTask() && gaps.size() < 2) {
      long first = from + random.nextInt((int) (record.lastTask() - from) + 1);
      long last = first + random.nextInt((int) (record.lastTask() - first) + 1);
      long start = random.nextLong(record.bytes() + 1);
      gaps.add(new Gap(first, last, start, random.nextLong(start, record.bytes() + 1)));
      from = last + 1 + random.nextInt(2);
    }
    return gaps;
  }

  private static List<Integer> all(List<TensorUsageRecord> records) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      all.add(i);
    }
    return all;
  }

  /** {@return true if a record has bytes at a task with the most live bytes of all records} */
  private static boolean isLiveAtPeak(List<TensorUsageRecord> records, int record) {
    List<Integer> all = all(records);
    for (long task = 0; task < TASK_COUNT; task++) {
      if (live(records, all, task) == most(records, all)
          && most(records, all) > 0
          && live(records, List.of(record), task) > 0) {
        return true;
      }
    }
    return false;
  }

  private static long most(List<TensorUsageRecord> records, List<Integer> some) {
    long most = 0;
    for (long task = 0; task < TASK_COUNT; task++) {
      most = Math.max(most, live(records, some, task));
    }
    return most;
  }

  private static long live(List<TensorUsageRecord> records, List<Integer> some, long now) {
    long bytes = 0;
    for (int i : some) {
      TensorUsageRecord record = records.get(i);
      if (record.firstTask() <= now && now <= record.lastTask()) {
        bytes +=
            record.gaps().stream()
                .filter(gap -> gap.firstTask() <= now && now <= gap.lastTask())
                .findFirst()
                .map(Gap::windowBytes)
                .orElse(record.bytes());
      }
    }
    return bytes;
  }
}
