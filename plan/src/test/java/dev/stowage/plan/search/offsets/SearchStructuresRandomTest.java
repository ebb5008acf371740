package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The data structures of the search, compared with naive models. */
class SearchStructuresRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  private static PlanProblem problem(long seed) {
    return ExhaustivePlans.ofNeededRecords(SmallProblems.of(seed, 14, 9));
  }

  private static Partition partition(PlanProblem problem) {
    return Partition.of(
        problem,
        ExhaustivePlans.movable(problem),
        ExhaustivePlans.pinned(problem),
        ExhaustivePlans.stacked(problem),
        new StepCounter(() -> false));
  }

  private static TensorUsageRecord record(PlanProblem problem, Partition partition, int record) {
    return problem.records().get(partition.records[record]);
  }

  private static boolean conflict(TensorUsageRecord a, TensorUsageRecord b) {
    return LongStream.rangeClosed(a.firstTask(), a.lastTask())
        .anyMatch(task -> ExhaustivePlans.isLive(a, task) && ExhaustivePlans.isLive(b, task));
  }

  /** {@return the records of a partition that are live at a task} */
  private static List<Integer> live(PlanProblem problem, Partition partition, long task) {
    return IntStream.range(0, partition.recordCount())
        .filter(record -> ExhaustivePlans.isLive(record(problem, partition, record), task))
        .boxed()
        .toList();
  }

  private static List<Integer> members(Partition partition, int section) {
    return IntStream.of(partition.members[section]).boxed().toList();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sections_anyRecords_areTheTasksThatMatter(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    long lastTask = ExhaustivePlans.lastTask(problem.records());
    // Each section is a task, in order. The live records of each task are members of a section.
    long task = 0;
    for (int section = 0; section < partition.sectionCount(); section++) {
      while (!live(problem, partition, task).equals(members(partition, section))) {
        assertThat(++task).as("section %d of %s", section, problem).isLessThanOrEqualTo(lastTask);
      }
      task++;
    }
    for (long any = 0; any <= lastTask; any++) {
      List<Integer> live = live(problem, partition, any);
      assertThat(
              IntStream.range(0, partition.sectionCount())
                  .anyMatch(section -> members(partition, section).containsAll(live)))
          .as("task %d of %s", any, problem)
          .isEqualTo(partition.recordCount() > 0);
    }
    if (problem.records().stream().allMatch(record -> record.gaps().isEmpty())) {
      for (int section = 1; section < partition.sectionCount(); section++) {
        assertThat(members(partition, section - 1))
            .doesNotContainSequence(members(partition, section));
        assertThat(members(partition, section).containsAll(members(partition, section - 1)))
            .isFalse();
        assertThat(members(partition, section - 1).containsAll(members(partition, section)))
            .isFalse();
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sectionRanges_anyRecords_areWhereTheyAreMembers(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    for (int record = 0; record < partition.recordCount(); record++) {
      List<Integer> sections = new ArrayList<>();
      int[] ranges = partition.sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        assertThat(ranges[k]).isBetween(k == 0 ? 0 : ranges[k - 1] + 1, ranges[k + 1]);
        IntStream.rangeClosed(ranges[k], ranges[k + 1]).forEach(sections::add);
      }
      int member = record;
      assertThat(sections)
          .isEqualTo(
              IntStream.range(0, partition.sectionCount())
                  .filter(section -> members(partition, section).contains(member))
                  .boxed()
                  .toList());
      assertThat(partition.firstSection[record]).isEqualTo(sections.getFirst());
      assertThat(partition.lastSection[record]).isEqualTo(sections.getLast());
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void conflicts_anyRecords_arePairsLiveAtOneTask(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    assertThat(partition.records).containsExactly(ExhaustivePlans.movable(problem));
    for (int a = 0; a < partition.recordCount(); a++) {
      TensorUsageRecord record = record(problem, partition, a);
      assertThat(partition.bytes[a]).isEqualTo(record.bytes());
      assertThat(partition.alignment[a]).isEqualTo(ExhaustivePlans.alignment(problem, record));
      int one = a;
      assertThat(partition.conflicts[a])
          .as("record %d of %s", a, problem)
          .containsExactly(
              IntStream.range(0, partition.recordCount())
                  .filter(b -> b != one && conflict(record, record(problem, partition, b)))
                  .toArray());
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void obstacles_anyPins_areTheirBytes(long seed) {
    PlanProblem problem = problem(seed | 2);
    Partition partition = partition(problem);
    for (int record = 0; record < partition.recordCount(); record++) {
      TensorUsageRecord movable = record(problem, partition, record);
      BitSet expected = pinnedBytes(problem, pinned -> conflict(movable, pinned));
      assertThat(bytes(partition.obstacles[record])).as("%s", problem).isEqualTo(expected);
    }
    // A section may be any of the tasks with the same records; the pins are those of that task.
    for (int section = 0; section < partition.sectionCount(); section++) {
      List<Integer> members = members(partition, section);
      Stream<BitSet> atTasks =
          LongStream.rangeClosed(0, ExhaustivePlans.lastTask(problem.records()))
              .filter(task -> live(problem, partition, task).equals(members))
              .mapToObj(
                  task -> pinnedBytes(problem, pinned -> ExhaustivePlans.isLive(pinned, task)));
      assertThat(atTasks).as("%s", problem).contains(bytes(partition.pinned[section]));
    }
  }

  private static BitSet pinnedBytes(PlanProblem problem, Predicate<TensorUsageRecord> which) {
    BitSet bytes = new BitSet();
    for (TensorUsageRecord record : problem.records()) {
      if (record.pinnedOffset().isPresent() && which.test(record)) {
        int offset = (int) record.pinnedOffset().getAsLong();
        bytes.set(offset, offset + (int) record.bytes());
      }
    }
    return bytes;
  }

  /** {@return the bytes of ranges; checks that they ascend and are disjoint} */
  private static BitSet bytes(long[] ranges) {
    BitSet bytes = new BitSet();
    for (int k = 0; k < ranges.length; k += 2) {
      assertThat(ranges[k]).isLessThan(ranges[k + 1]);
      assertThat(k == 0 || ranges[k - 1] < ranges[k]).isTrue();
      bytes.set((int) ranges[k], (int) ranges[k + 1]);
    }
    return bytes;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void split_anyRecords_putsThoseTogetherWhoseLifetimesMeet(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 10, 9);
    List<TensorUsageRecord> records = problem.records();
    int[] partOf = IntStream.range(0, records.size()).toArray();
    for (int round = 0; round < records.size(); round++) {
      for (int a = 0; a < partOf.length; a++) {
        for (int b = 0; b < partOf.length; b++) {
          if (meet(records.get(a), records.get(b))) {
            partOf[a] = Math.min(partOf[a], partOf[b]);
          }
        }
      }
    }
    List<List<Integer>> expected = new ArrayList<>();
    for (int partition = 0; partition < partOf.length; partition++) {
      int id = partition;
      List<Integer> indices =
          IntStream.range(0, partOf.length)
              .filter(i -> partOf[i] == id && ExhaustivePlans.isNeeded(records.get(i)))
              .boxed()
              .toList();
      if (!indices.isEmpty()) {
        expected.add(indices);
      }
    }
    expected.sort(
        Comparator.comparingLong(partition ->
            partition.stream().mapToLong(i -> records.get(i).firstTask()).min().orElseThrow()));
    assertThat(PartitionSplit.of(problem).stream().map(p -> IntStream.of(p).boxed().toList()))
        .as("%s", problem)
        .containsExactlyElementsOf(expected);
  }

  private static boolean meet(TensorUsageRecord a, TensorUsageRecord b) {
    return ExhaustivePlans.isNeeded(a)
        && ExhaustivePlans.isNeeded(b)
        && a.firstTask() <= b.lastTask()
        && b.firstTask() <= a.lastTask();
  }

  /** Records stacked in any order, each directly above the one before, a pin, or offset 0. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void unitBytes_anyStack_dividesAllEnds(long seed) {
    PlanProblem problem = problem(seed | 1);
    Partition partition = partition(problem);
    Random random = new Random(seed);
    for (int round = 0; partition.recordCount() > 0 && round < 40; round++) {
      long top = 0;
      for (int height = 0; height < 4; height++) {
        int record = random.nextInt(partition.recordCount());
        long[] obstacles = partition.obstacles[record];
        if (obstacles.length > 0 && random.nextInt(3) == 0) {
          top = obstacles[1 + 2 * random.nextInt(obstacles.length / 2)];
        }
        long offset = ExhaustivePlans.roundUp(top, partition.alignment[record]);
        top = offset + partition.bytes[record];
        assertThat(top % partition.unitBytes()).as("%s", problem).isZero();
        assertThat(offset % partition.granularityBytes).as("%s", problem).isZero();
      }
    }
    for (int i : ExhaustivePlans.pinned(problem)) {
      assertThat(problem.records().get(i).pinnedOffset().orElseThrow() % granularity(partition))
          .isZero();
    }
  }

  private static long granularity(Partition partition) {
    return Math.max(1, partition.granularityBytes);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void paddedLoad_anyAlignment_isWhatOneTaskNeeds(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    long expected = 0;
    for (long unit = 1; unit <= granularity(partition) || unit <= 64; unit++) {
      for (long task = 0; task <= ExhaustivePlans.lastTask(problem.records()); task++) {
        expected = Math.max(expected, leastHeight(live(problem, partition, task), partition, unit));
      }
    }
    assertThat(PaddedLoad.of(partition, new StepCounter(() -> false)))
        .as("%s", problem)
        .isEqualTo(expected);
  }

  /**
   * {@return the least height of a stack of the records with offsets at multiples of {@code unit},
   * over the choices of the record at the top}
   */
  private static long leastHeight(List<Integer> live, Partition partition, long unit) {
    List<Integer> aligned = live.stream().filter(i -> partition.alignment[i] % unit == 0).toList();
    long least = aligned.isEmpty() ? 0 : Long.MAX_VALUE;
    for (int top : aligned) {
      long height = partition.bytes[top];
      for (int below : aligned) {
        if (below != top) {
          height += ExhaustivePlans.roundUp(partition.bytes[below], unit);
        }
      }
      least = Math.min(least, height);
    }
    return least;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sectionWeights_anyFailures_addUp(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    if (partition.recordCount() == 0) {
      return;
    }
    SectionWeights weights = new SectionWeights(partition);
    double[] model = new double[partition.sectionCount()];
    for (int section = 0; section < model.length; section++) {
      model[section] =
          IntStream.of(partition.members[section]).mapToLong(m -> partition.bytes[m]).sum();
    }
    normalize(model);
    Random random = new Random(seed);
    for (int step = 0; step < 30; step++) {
      int first = random.nextInt(model.length);
      int last = first + random.nextInt(model.length - first);
      switch (random.nextInt(3)) {
        case 0 -> {
          weights.addFailure(first);
          model[first] += 0.01;
        }
        case 1 -> {
          weights.addFailure(first, last);
          IntStream.rangeClosed(first, last).forEach(s -> model[s] += 0.01 / (last - first + 1));
        }
        default -> {
          weights.normalize();
          normalize(model);
          assertThat(IntStream.range(0, model.length).mapToDouble(weights::of).max()).hasValue(1);
        }
      }
      for (int section = 0; section < model.length; section++) {
        assertThat(weights.of(section)).isCloseTo(model[section], within(1e-9));
      }
    }
  }

  private static void normalize(double[] weights) {
    double largest = 0;
    for (double weight : weights) {
      largest = Math.max(largest, weight);
    }
    for (int section = 0; section < weights.length; section++) {
      weights[section] /= largest;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void order_anyWeights_isThatOfTheDefinition(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    if (partition.recordCount() == 0) {
      return;
    }
    SectionWeights weights = new SectionWeights(partition);
    Random random = new Random(seed);
    for (int failures = random.nextInt(50); failures > 0; failures--) {
      weights.addFailure(random.nextInt(partition.sectionCount()));
    }
    double longest =
        IntStream.of(partition.records)
            .mapToDouble(i -> tasks(problem.records().get(i)))
            .max()
            .orElseThrow();
    for (RecordPriority priority : RecordPriority.values()) {
      double[] keys = new double[partition.recordCount()];
      for (int record = 0; record < keys.length; record++) {
        int member = record;
        double[] ofSections =
            IntStream.range(0, partition.sectionCount())
                .filter(section -> members(partition, section).contains(member))
                .mapToDouble(weights::of)
                .toArray();
        TensorUsageRecord of = problem.records().get(partition.records[record]);
        double lifetime = tasks(of) / longest;
        keys[record] = key(priority, ofSections, lifetime, of.bytes());
      }
      List<Integer> expected = new ArrayList<>(IntStream.range(0, keys.length).boxed().toList());
      expected.sort(Comparator.comparingDouble(record -> -keys[record]));
      assertThat(IntStream.of(priority.order(partition, weights)).boxed())
          .as("%s of %s", priority, problem)
          .containsExactlyElementsOf(expected);
    }
  }

  private static double tasks(TensorUsageRecord record) {
    return record.lastTask() + 1.0 - record.firstTask();
  }

  private static double key(
      RecordPriority priority, double[] weights, double lifetime, long bytes) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight; // in the same order, for the same rounding
    }
    double largest = 0;
    for (double weight : weights) {
      largest = Math.max(largest, weight);
    }
    return switch (priority) {
      case AREA -> sum * bytes;
      case SPAN -> sum;
      case PEAK -> largest * 1e6 + lifetime;
      case PEAK_AREA -> largest * weights.length * bytes;
      case PEAK_SPAN -> largest * weights.length;
    };
  }
}
