package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The invariants of a partial placement while records are placed and taken back at random. */
class PartialPlacementRandomTest {

  private static final int STEPS = 60;

  /** A placed record, and the changes before it. */
  private record Placed(int record, int changesBefore) {}

  static LongStream seeds() {
    return RandomRecords.seeds(640);
  }

  private static Partition partition(PlanProblem problem) {
    return Partition.of(
        problem,
        ExhaustivePlans.movable(problem),
        ExhaustivePlans.pinned(problem),
        ExhaustivePlans.stacked(problem),
        new StepCounter(() -> false));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void placement_anyOrderOfRecords_keepsItsInvariants(long seed) {
    Random random = new Random(seed);
    PlanProblem problem =
        ExhaustivePlans.ofNeededRecords(
            SmallProblems.of(seed, 2 + random.nextInt(20), 1 + random.nextInt(40)));
    Partition partition = partition(problem);
    PartialPlacement placement = new PartialPlacement(partition, new SectionWeights(partition));
    long[] offsets = new long[partition.recordCount()];
    for (int round = 0; round < 3; round++) {
      long capacity = random.nextLong(2 * problem.naiveBytes() + 1);
      placement.start(capacity, () -> false);
      placement.checkInvariants(offsets);
      changeAtRandom(partition, placement, offsets, random);
    }
  }

  private static void changeAtRandom(
      Partition partition, PartialPlacement placement, long[] offsets, Random random) {
    Deque<Placed> stack = new ArrayDeque<>();
    int depth = random.nextInt(offsets.length + 1);
    for (int step = 0; step < STEPS; step++) {
      int[] unplaced =
          IntStream.range(0, offsets.length).filter(i -> !placement.isPlaced(i)).toArray();
      if (!stack.isEmpty() && (stack.size() > depth || random.nextInt(3) == 0)) {
        Placed last = stack.pop();
        placement.enterSections(last.record);
        placement.takeBack(last.record, last.changesBefore);
      } else if (unplaced.length > 0) {
        int record = unplaced[random.nextInt(unplaced.length)];
        Placed next = new Placed(record, placement.changeCount());
        offsets[record] = placement.lowest(record);
        if (placement.place(record, 0, partition.sectionCount() - 1)) {
          placement.leaveSections(record);
          stack.push(next);
        } else {
          placement.takeBack(record, next.changesBefore);
        }
      }
      placement.checkInvariants(offsets);
    }
  }

  /** The placement bounds only sections and offsets that changed; the model bounds all. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void place_ascendingOffsets_failsIfTheModelDoes(long seed) {
    Random random = new Random(seed);
    PlanProblem problem =
        ExhaustivePlans.ofNeededRecords(
            SmallProblems.of(seed & ~2, 2 + random.nextInt(14), 1 + random.nextInt(30)));
    Partition partition = partition(problem);
    PartialPlacement placement = new PartialPlacement(partition, new SectionWeights(partition));
    for (int round = 0; round < 10; round++) {
      long capacity = PaddedLoad.of(partition, new StepCounter(() -> false)) + random.nextInt(8);
      long from = 0;
      boolean fits = placement.start(capacity, () -> false);
      assertThat(fits).isEqualTo(fitsInModel(partition, placement, 0, capacity));
      while (fits) {
        long atLeast = from;
        int[] next =
            IntStream.range(0, partition.recordCount())
                .filter(i -> !placement.isPlaced(i) && placement.lowest(i) >= atLeast)
                .toArray();
        if (next.length == 0) {
          break;
        }
        int record = next[random.nextInt(next.length)];
        from = placement.lowest(record);
        int changes = placement.changeCount();
        fits = placement.place(record, 0, partition.sectionCount() - 1);
        if (fits || allLowestOffsetsFit(partition, placement, capacity)) {
          assertThat(fits)
              .as("%s", problem)
              .isEqualTo(fitsInModel(partition, placement, from, capacity));
        }
        if (random.nextInt(4) == 0) {
          placement.takeBack(record, changes);
          from = atLeast;
          fits = true;
          if (random.nextInt(4) == 0) {
            break;
          }
        } else if (fits) {
          placement.leaveSections(record);
        }
      }
    }
  }

  private static boolean allLowestOffsetsFit(
      Partition partition, PartialPlacement placement, long capacity) {
    return IntStream.range(0, partition.recordCount())
        .noneMatch(
            i -> !placement.isPlaced(i) && placement.lowest(i) + partition.bytes[i] > capacity);
  }

  /**
   * {@return true if, in each section, the unplaced records above any offset fit below the
   * capacity, and so does each record}
   */
  private static boolean fitsInModel(
      Partition partition, PartialPlacement placement, long from, long capacity) {
    for (int section = 0; section < partition.sectionCount(); section++) {
      long padding = 0;
      for (int member : partition.members[section]) {
        padding = Math.max(padding, partition.paddedBytes[member] - partition.bytes[member]);
      }
      for (long offset = from; offset <= capacity; offset++) {
        long end = offset;
        for (int member : partition.members[section]) {
          long lowest = Math.max(from, placement.lowest(member));
          end +=
              !placement.isPlaced(member) && lowest >= offset ? partition.paddedBytes[member] : 0;
        }
        if (end > capacity + padding && end > offset) {
          return false;
        }
      }
    }
    return allLowestOffsetsFit(partition, placement, capacity);
  }
}
