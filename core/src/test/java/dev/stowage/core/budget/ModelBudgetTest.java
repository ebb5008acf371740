package dev.stowage.core.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.plan.shapes.DimensionRange;
import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import dev.stowage.core.plan.shapes.SizeExpression;
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
        .hasMessage("the shape is not within the ranges: shape batch=9, ranges batch=1..8");
  }

  @Test
  void at_noSessions_isRejected() {
    assertThatThrownBy(() -> BUDGET.at(DimensionValues.of("batch", 1), 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sessions and threads must be positive: sessions=0, threads=1");
  }

  @Test
  void parse_itsOwnProfile_isTheSameBudget() {
    ModelBudget named =
        new ModelBudget(
            "a\tb\\c.onnx",
            DimensionRanges.of(new DimensionRange("in\\put[0]", 1, 4)),
            List.of(
                new BudgetPart(
                    "activations (first run)",
                    PartSource.CALIBRATED,
                    PartUnit.SESSION,
                    PartPhase.RUNNING,
                    PartBytes.sampled(
                        List.of(new SampleAxis("in\\put[0]", List.of(1L, 4L))),
                        new long[] {5, 6}))));

    assertThat(ModelBudget.parse(named.toProfile())).isEqualTo(named);
    assertThat(ModelBudget.parse(BUDGET.toProfile())).isEqualTo(BUDGET);
    assertThat(BUDGET.toProfile())
        .startsWith(
            """
            stowage-budget\t1
            model\tm.onnx
            dimension\tbatch\t1\t8
            part\tengine\tcomputed\tprocess\talways\tformula\t100
            """);
  }

  @Test
  void parse_damagedProfiles_nameTheLine() {
    assertThatThrownBy(() -> ModelBudget.parse("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile:1: expected the header 'stowage-budget\t1'");
    assertThatThrownBy(() ->
            ModelBudget.parse(
                "stowage-budget\t1\nmodel\tm\npart\tp\tguessed\tsession\talways\tformula\t1\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile:3: expected one of [computed, calibrated, measured], found 'guessed'");
    assertThatThrownBy(() ->
            ModelBudget.parse(
                """
                stowage-budget\t1
                model\tm
                part\tp\tcomputed\tsession\talways\tsamples\t1
                axis\tn\t1\t2
                values\t3
                """))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile:5: a grid of 2 points needs as many values: values=1");
    assertThatThrownBy(() -> ModelBudget.parse("stowage-budget\t1\nmodel\tm\nother\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile:3: expected 'part' with at least 6 fields, found 'other'");
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
