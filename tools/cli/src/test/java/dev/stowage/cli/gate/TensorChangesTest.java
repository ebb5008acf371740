package dev.stowage.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.gate.TensorChange.Kind;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The records that are responsible for growth. */
class TensorChangesTest {

  private static LongStream seeds() {
    return Seeds.of(400);
  }

  private static BaselineRecord record(String name, long size, long firstTask, long lastTask) {
    return new BaselineRecord(name, size, firstTask, lastTask);
  }

  private static List<Kind> kinds(
      List<BaselineRecord> before, List<BaselineRecord> now, int... peak) {
    List<BaselineRecord> live = new ArrayList<>();
    for (int i : peak) {
      live.add(now.get(i));
    }
    return new TensorChanges(before, now)
        .at(List.of(live)).stream().map(TensorChange::kind).toList();
  }

  @Test
  void at_newRecord_isNew() {
    assertThat(
            kinds(
                List.of(record("a", 1, 0, 1)),
                List.of(record("a", 1, 0, 1), record("b", 2, 1, 2)),
                0,
                1))
        .containsExactly(Kind.NEW);
  }

  @Test
  void at_largerRecordAtAnotherPeakThanBefore_isLarger() {
    //  before: a a . .   peak at 0      now: a a . .
    //          . . b c                       . . B c   peak at 3
    List<BaselineRecord> before =
        List.of(record("a", 9, 0, 1), record("b", 1, 2, 3), record("c", 2, 3, 3));
    List<BaselineRecord> now =
        List.of(record("a", 9, 0, 1), record("b", 8, 2, 3), record("c", 2, 3, 3));

    assertThat(kinds(before, now, 1, 2)).containsExactly(Kind.LARGER);
  }

  @Test
  void at_recordThatEndsLater_isLonger() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 2, 3));
    List<BaselineRecord> now = List.of(record("a", 5, 0, 2), record("b", 7, 2, 3));

    assertThat(kinds(before, now, 0, 1)).containsExactly(Kind.LONGER);
  }

  @Test
  void at_recordThatMoved_isLiveTogetherWithOthers() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 2, 3));
    List<BaselineRecord> now = List.of(record("a", 5, 2, 3), record("b", 7, 2, 3));

    assertThat(kinds(before, now, 0, 1)).containsExactly(Kind.TOGETHER);
  }

  @Test
  void at_operatorInsertedBefore_namesOnlyTheNewRecord() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 1, 2));
    List<BaselineRecord> now =
        List.of(record("x", 20, 0, 1), record("a", 5, 1, 2), record("b", 7, 2, 3));

    assertThat(kinds(before, now, 0, 1)).containsExactly(Kind.NEW);
  }

  @Test
  void at_renamedRecords_namesNone() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 1, 2));
    List<BaselineRecord> now = List.of(record("a2", 5, 0, 1), record("b2", 7, 1, 2));

    assertThat(kinds(before, now, 0, 1)).isEmpty();
  }

  @Test
  void at_equalRecordsOfWhichOneIsNew_namesOne() {
    List<BaselineRecord> before = List.of(record("", 5, 0, 1));
    List<BaselineRecord> now = List.of(record("", 5, 0, 1), record("", 5, 0, 1));

    assertThat(kinds(before, now, 0, 1)).containsExactly(Kind.NEW);
  }

  @Test
  void at_unchangedPeak_comparesAllRecords() {
    List<BaselineRecord> before = List.of(record("a", 9, 0, 0), record("b", 1, 1, 1));
    List<BaselineRecord> now = List.of(record("a", 9, 0, 0), record("b", 3, 1, 1));

    assertThat(kinds(before, now, 0)).containsExactly(Kind.LARGER);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void at_anyChange_explainsTheGrowthOfTheLoad(long seed) {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(12);
    List<BaselineRecord> before = records(random, tasks);
    List<BaselineRecord> now = new ArrayList<>(before);
    for (int change = random.nextInt(4); change >= 0; change--) {
      if (now.isEmpty() || random.nextInt(3) == 0) {
        now.addAll(records(random, tasks));
      } else {
        BaselineRecord old = now.remove(random.nextInt(now.size()));
        long first = random.nextInt(tasks);
        now.add(
            random.nextBoolean()
                ? record(old.name(), random.nextInt(20), old.firstTask(), old.lastTask())
                : record(old.name(), old.size(), first, first + random.nextInt(tasks)));
      }
    }
    Collections.shuffle(now, random);
    long peak = 0;
    for (int task = 0; task < 2 * tasks; task++) {
      peak = load(now, task) > load(now, peak) ? task : peak;
    }
    long fullest = peak;
    List<BaselineRecord> live = now.stream().filter(record -> isLive(record, fullest)).toList();
    long before0 = LongStream.range(0, 2L * tasks).map(task -> load(before, task)).max().orElse(0);

    List<TensorChange> changes = new TensorChanges(before, now).at(List.of(live));

    long growth = load(now, peak) - before0;
    if (growth > 0) {
      long explained = changes.stream().mapToLong(TensorChange::weight).sum();
      assertThat(explained).isGreaterThanOrEqualTo(growth);
      assertThat(changes).allMatch(change -> live.contains(change.record()));
    }
  }

  private static List<BaselineRecord> records(Random random, int tasks) {
    List<BaselineRecord> records = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      long first = random.nextInt(tasks);
      records.add(
          record(
              "r" + random.nextInt(8), random.nextInt(20), first, first + random.nextInt(tasks)));
    }
    return records;
  }

  private static boolean isLive(BaselineRecord record, long task) {
    return record.firstTask() <= task && task <= record.lastTask();
  }

  private static long load(List<BaselineRecord> records, long task) {
    return records.stream()
        .filter(record -> isLive(record, task))
        .mapToLong(BaselineRecord::size)
        .sum();
  }
}
