package dev.stowage.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.shapes.DimensionValues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelBudgetTest {

  private static final String TEXT =
      """
      stowage-budget\t2
      model\tm%25.onnx
      engine\tONNX Runtime 1.29.0
      machine\tAMD EPYC, 2 processors
      service\t1\t1\t1000\t1500\tbatch\t1
      service\t1\t1\t1000\t3000\tbatch\t16
      service\t2\t8\t1200\t41200\tbatch\t16
      run\t90\tbatch\t1
      run\t1400\tbatch\t16
      end
      """;

  private static final ModelBudget BUDGET = ModelBudget.parse(TEXT);

  private static DimensionValues batch(long size) {
    return DimensionValues.of("batch", size);
  }

  @Test
  void toText_parsedBudget_isTheSameText() {
    assertThat(BUDGET.toText()).isEqualTo(TEXT);
    assertThat(BUDGET.model()).isEqualTo("m%.onnx");
    assertThat(BUDGET.ranges()).hasToString("batch=1..16");
  }

  @Test
  void toText_nameWithTabsAndLineEnds_isParsedAgain() {
    ModelBudget budget =
        new ModelBudget(
            "a\tb\r\n%09",
            "e",
            "m",
            List.of(new ServiceSample(DimensionValues.of("x\ty", 2), 1, 1, 0, 5)),
            List.of());

    assertThat(ModelBudget.parse(budget.toText())).isEqualTo(budget);
  }

  @Test
  void at_sample_isThatSample() {
    assertThat(BUDGET.at(batch(1), 1, 1).highestBytes()).isEqualTo(1500);
    assertThat(BUDGET.at(batch(16), 2, 8).highestBytes()).isEqualTo(41_200);
  }

  @Test
  void at_betweenSamples_isTheNextLargerOne() {
    assertThat(BUDGET.at(batch(2), 1, 1).highestBytes()).isEqualTo(3000);
    assertThat(BUDGET.at(batch(2), 1, 2).highestBytes()).isEqualTo(41_200);
  }

  @Test
  void at_outsideOfTheSamples_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BUDGET.at(batch(17), 1, 1))
        .withMessage(
            "no sample is as large: batch=17, sessions=1, concurrent=1; the largest has batch=16, sessions=2, concurrent=8. Measure it with stowage budget --profile");
    assertThatIllegalArgumentException().isThrownBy(() -> BUDGET.at(batch(1), 3, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> BUDGET.at(batch(1), 1, 9));
  }

  @Test
  void at_noSessions_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BUDGET.at(batch(1), 0, 1))
        .withMessage("sessions and concurrent must be positive: sessions=0, concurrent=1");
  }

  @Test
  void at_missingDimension_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BUDGET.at(DimensionValues.of(Map.of()), 1, 1))
        .withMessage("dimension 'batch' has no value");
  }

  @Test
  void growthBytes_requestsAtATime_isTheShareOfEach() {
    assertThat(BUDGET.at(batch(16), 2, 8).growthBytes()).isEqualTo(2500);
  }

  @Test
  void runBytes_betweenSamples_isTheNextLargerOne() {
    assertThat(BUDGET.runBytes(batch(1))).isEqualTo(90);
    assertThat(BUDGET.runBytes(batch(2))).isEqualTo(1400);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BUDGET.runBytes(batch(17)))
        .withMessage(
            "no sample of a run is as large as batch=17. Measure it with stowage budget --profile");
  }

  @Test
  void parse_otherText_namesTheLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelBudget.parse("stowage-budget\t1\nend\n"))
        .withMessage(
            "line 1: expected 'stowage-budget 2', the first line of a budget of this version; write it again with stowage budget --profile");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelBudget.parse("stowage-budget\t2\nservice\tx\n"))
        .withMessage("line 2: expected a number, found 'x'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelBudget.parse("stowage-budget\t2\nservice\t1\n"))
        .withMessage("line 2: expected more than 2 fields");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelBudget.parse("stowage-budget\t2\npart\t1\n"))
        .withMessage("line 2: unknown kind 'part'");
  }

  @Test
  void parse_cutText_isRejected() {
    for (int length = 0; length < TEXT.length() - 1; length++) {
      String cut = TEXT.substring(0, length);
      assertThatIllegalArgumentException().isThrownBy(() -> ModelBudget.parse(cut));
    }
  }
}
