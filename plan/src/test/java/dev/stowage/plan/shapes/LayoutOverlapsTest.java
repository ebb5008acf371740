package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LayoutOverlapsTest {

  private static final DimensionRanges RANGES =
      DimensionRanges.of(new DimensionRange("n", 1, 64), new DimensionRange("m", 1, 64));

  private static LayoutOverlaps overlaps(ShapeLayout layout) {
    return new LayoutOverlaps(
        layout,
        new LayoutIntervals(layout, ShapeBox.of(layout.problem().ranges())),
        new OffsetExpressions(layout),
        ShapeProver.of(layout.problem().ranges()));
  }

  private static SymbolicRecord record(String bytes, long firstTask, long lastTask) {
    return SymbolicRecord.of(SizeExpression.parse(bytes), firstTask, lastTask);
  }

  /** Returns records of different lifetimes, all of which are live at one task. */
  private static SymbolicProblem tower(int count) {
    Random random = new Random(1);
    List<SymbolicRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String bytes = random.nextBoolean() ? "8*n*m" : "4*n + 16*m";
      records.add(record(bytes, random.nextInt(1_000), 1_000 + random.nextInt(1_000)));
    }
    return new SymbolicProblem(records, RANGES, 1);
  }

  @Test
  void first_formulasThatReferToTheRecordBelow_comparesThreePairsForEachRecord() {
    SymbolicProblem problem = tower(2_000);
    List<LayoutOffset> offsets = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      offsets.add(LayoutOffset.above(i == 0 ? List.of() : List.of(i - 1), 1));
    }
    LayoutOverlaps overlaps = overlaps(ShapeLayout.of(problem, offsets));

    assertThat(overlaps.first()).isEmpty();
    assertThat(overlaps.pairCount()).isLessThan(3 * 2_000);
  }

  @Test
  void first_constantOffsets_comparesThreePairsForEachRecord() {
    SymbolicProblem problem = tower(2_000);
    long[] offsets = new long[2_000];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = i * 8L * 64 * 64;
    }
    LayoutOverlaps overlaps = overlaps(ShapeLayout.constant(problem, offsets));

    assertThat(overlaps.first()).isEmpty();
    assertThat(overlaps.pairCount()).isLessThan(3 * 2_000);
  }

  /*
   * bytes
   *   8n .. 8n+m   top              at tasks 0 to 2
   *   0 .. 8n      gap     low      at tasks 0 and 1; the gap of "gap" covers task 1
   *
   * The record on top of each task lies below "top", but "low" and "gap" are only disjoint in time.
   */
  @Test
  void first_recordsInGaps_restOnThoseOfTheirTasks() {
    SymbolicRecord gap =
        SymbolicRecord.of(
            SizeExpression.parse("8*n"),
            TensorUsageRecord.of(0, 0, 2).withName("gap").withGaps(List.of(Gap.of(1, 1))));
    List<SymbolicRecord> records = List.of(gap, record("8*n", 1, 1), record("m", 0, 2));
    SymbolicProblem problem = new SymbolicProblem(records, RANGES, 1);
    LayoutOffset zero = LayoutOffset.of(SizeExpression.ZERO);

    assertThat(
            overlaps(
                    ShapeLayout.of(
                        problem, List.of(zero, zero, LayoutOffset.above(List.of(0, 1), 1))))
                .first())
        .isEmpty();
    assertThat(
            overlaps(
                    ShapeLayout.of(problem, List.of(zero, zero, LayoutOffset.above(List.of(0), 1))))
                .first())
        .isEmpty(); // both end at 8*n
    assertThat(
            overlaps(
                    ShapeLayout.of(
                        problem,
                        List.of(zero, zero, LayoutOffset.of(SizeExpression.parse("8*n - 1")))))
                .first()
                .orElseThrow()
                .task())
        .isEqualTo(1);
  }

  /*
   * Record 0 lies above the others for n = 1 and below them for n = 2, so that record 2, which rests on
   * record 1, need not lie above record 0.
   */
  @Test
  void first_recordOnOneWithoutAnOrder_isComparedWithAllBelow() {
    DimensionRanges ranges = DimensionRanges.of(new DimensionRange("n", 1, 2));
    List<SymbolicRecord> records =
        List.of(record("10", 0, 1), record("10", 0, 1), record("10", 0, 1));
    SymbolicProblem problem = new SymbolicProblem(records, ranges, 1);
    ShapeLayout layout =
        ShapeLayout.of(
            problem,
            List.of(
                LayoutOffset.of(SizeExpression.parse("40*(2 - n)")),
                LayoutOffset.of(SizeExpression.parse("20")),
                LayoutOffset.of(SizeExpression.parse("30"))));

    assertThat(overlaps(layout).first()).isEmpty();
    ShapeLayout wrong =
        ShapeLayout.of(
            problem,
            List.of(
                LayoutOffset.of(SizeExpression.parse("30*(2 - n)")),
                LayoutOffset.of(SizeExpression.parse("20")),
                LayoutOffset.of(SizeExpression.parse("30"))));
    LayoutOverlaps.Overlap overlap = overlaps(wrong).first().orElseThrow();
    assertThat(overlap.lower()).isZero();
    assertThat(overlap.upper()).isEqualTo(2);
    assertThat(overlap.proof())
        .isInstanceOfSatisfying(
            ShapeProof.Refuted.class,
            refuted -> assertThat(refuted.counterexample().get("n")).isEqualTo(1));
  }

  @Test
  void violation_longChainOfReferences_isProvedWithoutRecursion() {
    int count = 20_000;
    SymbolicRecord record = record("64*n", 0, 1);
    List<LayoutOffset> offsets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      offsets.add(LayoutOffset.above(i == count - 1 ? List.of() : List.of(i + 1), 1));
    }
    SymbolicProblem problem = new SymbolicProblem(Collections.nCopies(count, record), RANGES, 64);

    assertThat(LayoutChecker.violation(ShapeLayout.of(problem, offsets))).isEmpty();
  }
}
