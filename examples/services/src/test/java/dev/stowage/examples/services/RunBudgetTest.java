package dev.stowage.examples.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import org.junit.jupiter.api.Test;

class RunBudgetTest {

  private static final RunBudget BUDGET =
      new RunBudget(
          ModelBudget.parse(
              """
              stowage-budget\t2
              model\tm.onnx
              service\t1\t1\t3000000\t3900000\tbatch\t8
              run\t105080\tbatch\t1
              run\t840320\tbatch\t8
              end
              """));

  @Test
  void runBytes_shape_isThatOfTheNextLargerSample() {
    assertThat(BUDGET.runBytes(DimensionValues.of("batch", 1))).isEqualTo(105_080);
    assertThat(BUDGET.runBytes(DimensionValues.of("batch", 2))).isEqualTo(840_320);
  }

  @Test
  void allocatorBytes_processWithALimit_isTheRestAfterTheOtherParts() {
    assertThat(BUDGET.allocatorBytes(10_000_000, 2_000_000, 32_000))
        .isEqualTo(10_000_000 - 2_000_000 - 32_000 - 3_000_000);
  }
}
