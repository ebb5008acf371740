package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.BankFields;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals at known points of the comparison of shapes. */
@Timeout(60)
final class InterruptedRangesTest {

  private static final PlanSelection SELECTION =
      new PlanSelection(
          EnumSet.of(MemoryStrategy.OPTIMAL),
          false,
          EnumSet.of(AssignmentKind.OFFSETS),
          1,
          SearchOptions.defaults(),
          false);

  private final Interruption interruption = new Interruption(Duration.ofMillis(1));

  private static PlanInput.Tensors input() {
    RangedProblem ranged =
        RangedProblem.of(
            PlanProblem.of(List.of(TensorUsageRecord.of(0, 0, 1))),
            List.of(SizeExpression.parse("8*n")),
            DimensionRanges.of(new DimensionRange("n", 1, 4)));
    return new PlanInput.Tensors(
        new InputFile("p.json", "json", 2, OptionalLong.empty(), List.of()),
        List.of(new RecordLabel("a", "a")),
        ranged.largest(),
        BankFields.NONE,
        Optional.empty(),
        Optional.empty(),
        Optional.of(ranged));
  }

  @ParameterizedTest
  @CsvSource({
    "no phase, 2, 4",
    "borders of the buckets, 0, 0",
    "best arena at n=1, 2, 0",
    "best arena at n=3, 2, 2",
  })
  void compared_signalInAPhase_hasThePlansThatAreFinished(String signalled, int buckets, int shapes)
      throws InputRefusedException {
    interruption.expect();
    PlanProgress progress =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}

          @Override
          public void phase(String name) {
            if (name.equals(signalled)) {
              interruption.interrupt(15);
            }
          }
        };
    PlanReport planned = new PlanRunner(SELECTION, interruption).run(input(), progress);
    PlanReport report =
        new RangeRunner(SELECTION, 2, interruption).compared(planned, input(), progress);

    assertThat(report.bestOffsets().orElseThrow().totalBytes()).isEqualTo(32);
    RangeReport ranges = report.ranges().orElseThrow();
    assertThat(ranges.buckets()).hasSize(buckets);
    assertThat(ranges.shapes()).hasSizeBetween(shapes, shapes + 1);
    boolean isCut = !signalled.equals("no phase");
    assertThat(report.isInterrupted()).isEqualTo(isCut);
    assertThat(report.notes().contains(PlanReport.INTERRUPTED)).isEqualTo(isCut);
  }
}
