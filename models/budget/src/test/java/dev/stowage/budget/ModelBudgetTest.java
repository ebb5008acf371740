package dev.stowage.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelBudgetTest {

  private static final DimensionRanges BATCH =
      DimensionRanges.of(new DimensionRange("batch", 1, 8));

  private static BudgetPart part(String name, PartUnit unit, PartPhase phase, long bytes) {
    return BudgetPart.of(name, PartSource.COMPUTED, unit, phase, bytes);
  }

  private static final ModelBudget BUDGET =
      new ModelBudget(
          "m.onnx",
          BATCH,
          List.of(
              part("engine", PartUnit.PROCESS, PartPhase.ALWAYS, 100),
              part("weights", PartUnit.SESSION, PartPhase.ALWAYS, 10),
              part("packing", PartUnit.SESSION, PartPhase.LOADING, 1000),
              part("threads", PartUnit.THREAD, PartPhase.ALWAYS, 7),
              new BudgetPart(
                  "activations",
                  PartSource.COMPUTED,
                  PartUnit.SESSION,
                  PartPhase.RUNNING,
                  PartBytes.of(SizeExpression.parse("300*batch")))));

  @Test
  void at_severalSessionsAndThreads_countsEachPartAsOftenAsItsUnit() {
    MemoryBudget budget = BUDGET.at(DimensionValues.of("batch", 2), 3, 2);

    assertThat(budget.parts())
        .containsExactly(
            new MemoryPart("engine", 100, 100, PartSource.COMPUTED),
            new MemoryPart("weights", 30, 30, PartSource.COMPUTED),
            new MemoryPart("packing", 1000, 0, PartSource.COMPUTED),
            new MemoryPart("threads", 21, 21, PartSource.COMPUTED),
            new MemoryPart("activations", 0, 1800, PartSource.COMPUTED));
    assertThat(budget.runningBytes()).isEqualTo(1951);
    assertThat(budget.loadingBytes()).isEqualTo(1151);
    assertThat(budget.highestBytes()).isEqualTo(1951);
  }

  @Test
  void at_smallRuns_isHighestWhileLoading() {
    MemoryBudget budget = BUDGET.at(DimensionValues.of("batch", 1), 1, 1);

    assertThat(budget.isHighestWhileLoading()).isTrue();
    assertThat(budget.highestBytes()).isEqualTo(1110);
    assertThat(budget.parts().stream().mapToLong(budget::highestBytes).sum()).isEqualTo(1110);
  }

  @Test
  void at_shapeOutsideOfTheRanges_isRejected() {
    assertThatThrownBy(() -> BUDGET.at(DimensionValues.of("batch", 9), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dimension 'batch' must be from 1 to 8: batch=9");
  }

  @Test
  void at_noSessions_isRejected() {
    assertThatThrownBy(() -> BUDGET.at(DimensionValues.of("batch", 1), 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sessions and threads must be positive: sessions=0, threads=1");
  }

  @Test
  void at_missingDimension_isRejected() {
    assertThatThrownBy(() -> BUDGET.at(DimensionValues.of("seq", 1), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dimension 'batch' has no value");
  }

  @Test
  void at_tooManyBytes_namesThePart() {
    assertThatThrownBy(() ->
            new ModelBudget(
                    "m",
                    DimensionRanges.of(),
                    List.of(part("weights", PartUnit.SESSION, PartPhase.ALWAYS, Long.MAX_VALUE)))
                .at(DimensionValues.of(Map.of()), 2, 1))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(
            "the bytes of part 'weights' must be from 0 to 2^63 - 1: long overflow; shape , sessions=2, threads=1");
    assertThatThrownBy(() ->
            new ModelBudget(
                    "m",
                    DimensionRanges.of(),
                    List.of(
                        part("a", PartUnit.PROCESS, PartPhase.RUNNING, Long.MAX_VALUE),
                        part("b", PartUnit.PROCESS, PartPhase.RUNNING, 1)))
                .at(DimensionValues.of(Map.of()), 1, 1))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("the sum of the parts must not exceed 2^63 - 1 bytes: last part 'b'");
  }

  @Test
  void at_negativeFormula_namesThePart() {
    ModelBudget budget =
        new ModelBudget(
            "m",
            BATCH,
            List.of(
                new BudgetPart(
                    "p",
                    PartSource.COMPUTED,
                    PartUnit.PROCESS,
                    PartPhase.ALWAYS,
                    PartBytes.of(SizeExpression.parse("batch - 3")))));

    assertThat(budget.at(DimensionValues.of("batch", 3), 1, 1).highestBytes()).isZero();
    assertThatThrownBy(() -> budget.at(DimensionValues.of("batch", 2), 1, 1))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(
            "the bytes of part 'p' must be from 0 to 2^63 - 1: bytes must not be negative: bytes=-1; shape batch=2, sessions=1, threads=1");
  }

  @Test
  void part_negativeBytes_isRejected() {
    assertThatThrownBy(() -> part("p", PartUnit.PROCESS, PartPhase.ALWAYS, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the bytes of a part must not be negative: bytes=-1");
  }

  @Test
  void budget_partsThatDoNotMatchTheRanges_areRejected() {
    BudgetPart engine = part("engine", PartUnit.PROCESS, PartPhase.ALWAYS, 1);
    assertThatThrownBy(() -> new ModelBudget("m", BATCH, List.of(engine, engine)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two parts have the name 'engine', expected one");

    BudgetPart samples =
        new BudgetPart(
            "activations",
            PartSource.COMPUTED,
            PartUnit.SESSION,
            PartPhase.RUNNING,
            PartBytes.sampled(
                List.of(new SampleAxis("batch", List.of(1L, 4L))), new long[] {1, 2}));
    assertThatThrownBy(() -> new ModelBudget("m", DimensionRanges.of(), List.of(samples)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("part 'activations' depends on dimension 'batch', which has no range");
    assertThatThrownBy(() -> new ModelBudget("m", BATCH, List.of(samples)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "part 'activations' has samples of dimension 'batch' from 1 to 4, expected samples for batch=1..8");
  }

  @Test
  void part_nameWithATab_isRejected() {
    assertThatThrownBy(() -> part("a\tb", PartUnit.PROCESS, PartPhase.ALWAYS, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the name of a part must have letters, digits, spaces, hyphens and parentheses only: name=a\tb");
  }

  @Test
  void at_noDimensions_needsNoShape() {
    ModelBudget constant =
        new ModelBudget(
            "m",
            DimensionRanges.of(),
            List.of(
                new BudgetPart(
                    "activations",
                    PartSource.COMPUTED,
                    PartUnit.SESSION,
                    PartPhase.RUNNING,
                    PartBytes.sampled(List.of(), new long[] {42}))));

    assertThat(constant.at(DimensionValues.of(Map.of()), 2, 1).highestBytes()).isEqualTo(84);
  }
}
