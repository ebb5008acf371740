package dev.stowage.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Small examples of each strategy and its tie-breaks.
 *
 * <p>In the pictures, a column is a task, and a line is an object or a range of bytes. Records are
 * letters in the order of the problem.
 */
class StrategyExamplesTest {

  /*
   *           0   1   2   3
   *   0 (8)   A       D   D
   *   1 (8)   B   B   C            B ends after A: the object freed last is reused first
   */
  @Test
  void equality_severalFree_takesTheOneThatBecameFreeLast() {
    PlanProblem problem = problem("8@0-0", "8@0-1", "8@2-2", "8@2-3");
    assertObjects(MemoryStrategy.EQUALITY, problem, new int[] {0, 1, 1, 0}, 8, 8);
  }

  /*
   *               0   1   2   3
   *   0 (4 x 2)   A       C
   *   1 (4 x 2)   B   B   D   D    the same lifetimes as textures: the lowest id is reused
   */
  @Test
  void equality_severalFreeTextures_takesTheLowestId() {
    TextureExtent extent = TextureExtent.of(4, 2);
    List<TextureUsageRecord> records =
        List.of(
            new TextureUsageRecord(extent, 0, 0),
            new TextureUsageRecord(extent, 0, 1),
            new TextureUsageRecord(extent, 2, 2),
            new TextureUsageRecord(extent, 2, 3));
    assertThat(TexturePlanner.planTextures(MemoryStrategy.EQUALITY, records))
        .isEqualTo(new TextureObjectsAssignment(List.of(0, 1, 0, 1), List.of(extent, extent)));
  }

  @Test
  void equality_almostEqual_isNotReused() {
    PlanProblem problem = problem("8@0-0", "7@1-1", "9@2-2", "8@3-3");
    assertObjects(MemoryStrategy.EQUALITY, problem, new int[] {0, 1, 2, 0}, 8, 7, 9);
  }

  /*
   *            0   1                      0   1
   *   0 (10)   A                0 (14)    A   C       14 is closer to 10 than to 20
   *   1 (20)   B   C            1 (20)    B
   *
   *   15 is as close to 10 as to 20: the larger object is reused.
   */
  @Test
  void greedyInOrder_betweenTwoFree_takesTheCloserAndThenTheLarger() {
    assertObjects(
        MemoryStrategy.GREEDY_IN_ORDER,
        problem("10@0-0", "20@0-0", "15@1-1"),
        new int[] {0, 1, 1},
        10,
        20);
    assertObjects(
        MemoryStrategy.GREEDY_IN_ORDER,
        problem("10@0-0", "20@0-0", "14@1-1"),
        new int[] {0, 1, 0},
        14,
        20);
  }

  @Test
  void greedyInOrder_equalOnesFree_takesTheLowestAboveAndTheHighestBelow() {
    assertObjects(
        MemoryStrategy.GREEDY_IN_ORDER,
        problem("12@0-0", "12@0-0", "10@1-1"),
        new int[] {0, 1, 0},
        12,
        12);
    assertObjects(
        MemoryStrategy.GREEDY_IN_ORDER,
        problem("10@0-0", "10@0-0", "12@1-1"),
        new int[] {0, 1, 1},
        10,
        12);
  }

  /*
   * D does not depend on A, B or C, so it may run before they have ended. C may reuse the object of
   * A, because only B is computed from A, and C is computed from B.
   *
   *   A ---> B ---> C      without    0  1  2  3  4     with the graph   0  1  2  3  4
   *   D ---> E             0          A  A  C  D  D     0                A  A  C
   *                        1             B  B     E     1                   B  B
   *                                                     2                         D  D
   *                                                     3                            E
   */
  @Test
  void greedyInOrder_usageGraph_reusesOnlyObjectsFreeInEveryOrder() {
    PlanProblem problem = problem("8@0-1", "8@1-2", "8@2-2", "8@3-4", "8@4-4");
    assertObjects(MemoryStrategy.GREEDY_IN_ORDER, problem, new int[] {0, 1, 0, 0, 1}, 8, 8);
    ReuseGraph graph =
        ReuseGraph.ofUsage(List.of(List.of(1), List.of(2), List.of(), List.of(4), List.of()));
    assertObjects(
        MemoryStrategy.GREEDY_IN_ORDER,
        problem.withReuseGraph(graph),
        new int[] {0, 1, 0, 2, 3},
        8,
        8,
        8,
        8);
  }

  /*
   *            breadth  100  100   70
   *                       0    1    2
   *   0 (70)              A    A    C       C is larger than both objects: the larger one grows
   *   1 (40)              B    B
   */
  @Test
  void greedyByBreadth_noObjectLargeEnough_growsTheLargestFree() {
    PlanProblem problem = problem("60@0-1", "40@0-1", "70@2-2");
    assertObjects(MemoryStrategy.GREEDY_BY_BREADTH, problem, new int[] {0, 1, 0}, 70, 40);
  }

  /*
   *            breadth   60   60
   *                       0    1
   *   0 (40)              B    C       equal breadth: task 0 comes first, and in it B, the larger one
   *   1 (20)              A    D
   */
  @Test
  void greedyByBreadth_equallyBroadTasks_takesTheEarlierFirst() {
    PlanProblem problem = problem("20@0-0", "40@0-0", "40@1-1", "20@1-1");
    assertObjects(MemoryStrategy.GREEDY_BY_BREADTH, problem, new int[] {1, 0, 0, 1}, 40, 20);
  }

  /*
   * Both plans take 50 bytes. By size, C shares the object of B, 1 task away; A is 3 tasks away.
   *
   *   GREEDY_BY_SIZE   0  1  2  3  4        GREEDY_BY_BREADTH   0  1  2  3  4
   *   0 (30)              B  B  B  C        0 (30)              A  A        C
   *   1 (20)           A  A                 1 (20)                 B  B  B
   */
  @Test
  void greedyBest_tie_isThePlanBySize() {
    PlanProblem problem = problem("20@0-1", "20@1-3", "30@4-4");
    assertObjects(MemoryStrategy.GREEDY_BY_SIZE, problem, new int[] {1, 0, 0}, 30, 20);
    assertObjects(MemoryStrategy.GREEDY_BY_BREADTH, problem, new int[] {0, 1, 0}, 30, 20);
    assertObjects(MemoryStrategy.GREEDY_BEST, problem, new int[] {1, 0, 0}, 30, 20);
  }

  /*
   *   GREEDY_BY_SIZE   0  1  2  3  4        GREEDY_BY_BREADTH   0  1  2  3  4
   *   0 (40)           A        E  E        0 (40)              B  B  B  E  E
   *   1 (30)                 D  D  D        1 (30)              A     D  D  D
   *   2 (20)                 C  C           2 (20)                    C  C
   *   3 (10)           B  B  B
   */
  @Test
  void greedyBest_planByBreadthIsSmaller_isThePlanByBreadth() {
    PlanProblem problem = problem("30@0-0", "10@0-2", "20@2-3", "30@2-4", "40@3-4");
    int[] bySize = {0, 3, 2, 1, 0};
    int[] byBreadth = {1, 0, 2, 1, 0};
    assertObjects(MemoryStrategy.GREEDY_BY_SIZE, problem, bySize, 40, 30, 20, 10);
    assertObjects(MemoryStrategy.GREEDY_BY_BREADTH, problem, byBreadth, 40, 30, 20);
    assertObjects(MemoryStrategy.GREEDY_BEST, problem, byBreadth, 40, 30, 20);
  }

  /*
   * At task 3, the 60 bytes of A are free for C or D. The greedy strategies assign them to C or to E.
   * The flow considers all records together and assigns a new object to C.
   *
   *            1   2   3   4
   *   0 (60)   A   A   D   D
   *   1 (50)   B   B   B   E
   *   2 (10)           C   C
   */
  @Test
  void minCostFlow_smallRecordBeforeALargeOne_findsTheCheaperChains() {
    PlanProblem problem = problem("60@1-2", "40@1-3", "10@3-4", "40@3-4", "50@4-4");
    assertObjects(MemoryStrategy.MINCOSTFLOW, problem, new int[] {0, 1, 2, 0, 1}, 60, 50, 10);
    for (MemoryStrategy greedy :
        List.of(MemoryStrategy.GREEDY_IN_ORDER, MemoryStrategy.GREEDY_BEST)) {
      assertThat(greedy.planObjects(problem).totalBytes()).as("%s", greedy).isEqualTo(150);
    }
  }

  /*
   *            0   1   2   3
   *   0 (9)        B
   *   0 (9)                A       the input order is A, B; the planned order is B, A
   */
  @Test
  void planObjects_unsortedRecords_areTakenByFirstTask() {
    PlanProblem problem = problem("9@3-3", "7@1-1");
    assertObjects(MemoryStrategy.GREEDY_IN_ORDER, problem, new int[] {0, 0}, 9);
    assertObjects(MemoryStrategy.MINCOSTFLOW, problem, new int[] {0, 0}, 9);
    assertObjects(MemoryStrategy.EQUALITY, problem, new int[] {1, 0}, 7, 9);
  }

  /*
   *   bytes   best fit   1  2  3  4         first fit   1  2  3  4
   *    0 to  6           A  A  A  .                     A  A  A  E
   *    6 to 10                 B  B                           B  B
   *   10 to 13                 D  E                           D  .
   *   13 to 15                 C  C                           C  C
   *
   * E has two gaps at task 4: 6 bytes below B, and 3 bytes between B and C.
   */
  @Test
  void planOffsets_twoGaps_takesTheSmallestOrTheLowest() {
    PlanProblem problem = problem("6@1-3", "4@3-4", "2@3-4", "3@3-3", "1@4-4");
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 15, 0, 6, 13, 10, 10);
    assertOffsets(MemoryStrategy.TFLM_GREEDY, problem, 15, 0, 6, 13, 10, 0);
  }

  @Test
  void planOffsets_equalSizes_goByAscendingOrDescendingIndex() {
    PlanProblem problem = problem("8@0-1", "8@1-2", "8@0-2");
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 24, 0, 8, 16);
    assertOffsets(MemoryStrategy.TFLM_GREEDY, problem, 24, 16, 8, 0);
  }

  /*
   *   bytes  0   2   4   6   8   10     13
   *          |p A| E |p B| D |p C|-- F --|
   *
   * F is placed first and fits into neither gap between the pinned records. D and E fit into both.
   * They have equal sizes, so the higher index is placed first, into the lower gap.
   */
  @Test
  void tflmGreedy_pinnedRecords_areAvoided() {
    List<TensorUsageRecord> records =
        List.of(
            record("2@0-0").pinnedAt(0),
            record("2@0-0").pinnedAt(4),
            record("2@0-0").pinnedAt(8),
            record("2@0-0"),
            record("2@0-0"),
            record("3@0-0"));
    assertOffsets(MemoryStrategy.TFLM_GREEDY, PlanProblem.of(records), 13, 0, 4, 8, 6, 2, 10);
  }

  /*
   *   bytes    0   1   2   3
   *   0 to 4   A   B   B   A      A needs nothing at tasks 1 and 2, and bytes 4 to 8 throughout
   *   4 to 8   A   A   A   A      only where its gap has a window
   *   8 to 10      C   C          C is too large for the remaining gap
   */
  @Test
  void tflmGreedy_gapWithAWindow_freesTheOtherBytes() {
    TensorUsageRecord gapped = record("8@0-3").withGaps(List.of(new Gap(1, 2, 4, 8)));
    PlanProblem problem = PlanProblem.of(List.of(gapped, record("4@1-2"), record("2@1-2")));
    assertOffsets(MemoryStrategy.TFLM_GREEDY, problem, 10, 0, 0, 8);
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 14, 0, 8, 12);
  }

  /*
   *   alignment 8    |---- A 20 ----|....|-- B 10 --|......|- C 5 -|
   *                  0              20   24         34     40      45     the end is not rounded up
   */
  @Test
  void planOffsets_alignment_doesNotRoundUpTheEnd() {
    PlanProblem problem = problem("20@0-0", "10@0-0", "5@0-0").withAlignment(8);
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 45, 0, 24, 40);
    assertOffsets(MemoryStrategy.TFLM_GREEDY, problem, 45, 0, 24, 40);
  }

  /*
   *   alignment 3    |-- A 10 --|..|- B 4 -|..|C 2|       C does not fit into the 2 bytes after A,
   *                  0          10 12      16 18  20      because offset 10 is not a multiple of 3
   */
  @Test
  void planOffsets_alignmentThatIsNotAPowerOfTwo_isRespected() {
    PlanProblem problem = problem("10@0-0", "4@0-0", "2@0-0");
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.NAIVE, MemoryStrategy.GREEDY_BY_SIZE, MemoryStrategy.TFLM_GREEDY)) {
      assertOffsets(strategy, problem.withAlignment(3), 20, 0, 12, 18);
      assertOffsets(strategy, problem, 16, 0, 10, 14);
    }
  }

  /*
   *   bytes      0   1   2
   *    0 to 10   A   A             Z has no bytes and is live at task 2, with B and C: its smallest
   *   10 to 14       B   B         gap is the empty one between them
   *   14 to 17       C   C
   */
  @Test
  void greedyBySize_emptyRecordAmongRecordsAboveZero_isBetweenTwoOfThem() {
    PlanProblem problem = problem("10@0-1", "4@1-2", "3@1-2", "0@2-2");
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 17, 0, 10, 14, 14);
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem.withAlignment(4), 19, 0, 12, 16, 16);
    assertOffsets(MemoryStrategy.TFLM_GREEDY, problem, 17, 0, 10, 14, 0);
  }

  /** Only B is live at the same task, so the gap below it starts at 0. */
  @Test
  void greedyBySize_emptyRecordBelowOneRecord_isAtZero() {
    PlanProblem problem = problem("10@0-1", "4@1-2", "0@2-2");
    assertOffsets(MemoryStrategy.GREEDY_BY_SIZE, problem, 14, 0, 10, 0);
  }

  private static PlanProblem problem(String... records) {
    return PlanProblem.of(Stream.of(records).map(StrategyExamplesTest::record).toList());
  }

  /** {@return a record of {@code bytes@first-last}} */
  private static TensorUsageRecord record(String text) {
    long[] fields = Arrays.stream(text.split("[@-]", -1)).mapToLong(Long::parseLong).toArray();
    return TensorUsageRecord.of(fields[0], fields[1], fields[2]);
  }

  private static void assertObjects(
      MemoryStrategy strategy, PlanProblem problem, int[] objectIds, long... objectBytes) {
    assertThat(strategy.planObjects(problem))
        .as("%s", strategy)
        .isEqualTo(ObjectsAssignment.of(objectIds, objectBytes));
  }

  private static void assertOffsets(
      MemoryStrategy strategy, PlanProblem problem, long totalBytes, long... offsets) {
    OffsetsAssignment plan = OffsetsAssignment.of(offsets, totalBytes);
    assertThat(strategy.planOffsets(problem)).as("%s", strategy).isEqualTo(plan);
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
  }
}
