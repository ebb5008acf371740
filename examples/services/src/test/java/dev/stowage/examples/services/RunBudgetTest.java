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
              stowage-budget\t1
              model\tm.onnx
              dimension\tbatch\t1\t8
              part\tengine\tcalibrated\tprocess\talways\tformula\t3000000
              part\tpacking\tcomputed\tsession\tloading\tformula\t9000000
              part\tactivations\tcomputed\tsession\trunning\tformula\t100000*batch
              part\tworkspace\tcalibrated\tsession\trunning\tformula\t5000
              part\tinputs\tcomputed\tsession\trunning\tformula\t1000*batch
              part\toutputs\tcomputed\tsession\trunning\tformula\t40*batch
              end
              """));

  @Test
  void runBytes_shape_isTheSumOfThePartsOfRuns() {
    assertThat(BUDGET.runBytes(DimensionValues.of("batch", 2))).isEqualTo(205_080);
  }

  @Test
  void allocatorBytes_processWithALimit_isTheRestAfterTheOtherParts() {
    assertThat(BUDGET.allocatorBytes(10_000_000, 4)).isEqualTo(10_000_000 - 3_000_000 - 4 * 8_000);
  }
}
