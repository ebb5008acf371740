package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanPictureTest {

  private static final long MIB = 1L << 20;

  /** GREEDY_BY_SIZE and TFLM_GREEDY plan them in the same bytes. */
  private static final List<TensorUsageRecord> CHAIN =
      List.of(
          TensorUsageRecord.of(MIB, 0, 3),
          TensorUsageRecord.of(3 * MIB, 3, 6),
          TensorUsageRecord.of(MIB + 1, 7, 9));

  @Test
  void picture_equalPlans_showsTheFirst() {
    PlanPicture picture = report(CHAIN, List.of()).picture(OptionalLong.empty());
    List<ShownPlan> plans = picture.plans();
    assertThat(plans.get(1).totalBytes()).isEqualTo(plans.get(2).totalBytes());
    assertThat(picture.best().strategy()).isEqualTo("GREEDY_BY_SIZE");
  }

  @Test
  void picture_equalPlans_showsOneMadeAsOffsets() {
    PlanPicture single =
        report(List.of(TensorUsageRecord.of(1, 0, 0)), List.of()).picture(OptionalLong.empty());
    assertThat(single.plans().getFirst().strategy()).isEqualTo("NAIVE");
    assertThat(single.best().strategy()).isEqualTo("GREEDY_BY_SIZE");
  }

  @Test
  void picture_aReportWithObjects_hasThePlansOfTheTable() {
    PlanPicture picture =
        report(CHAIN, List.of(MemoryStrategy.NAIVE, MemoryStrategy.EQUALITY))
            .picture(OptionalLong.empty());
    assertThat(picture.plans())
        .extracting(
            plan -> plan.strategy() + (plan.objects().isPresent() ? " objects" : " offsets"))
        .containsExactly(
            "GREEDY_BY_SIZE offsets", "TFLM_GREEDY offsets", "NAIVE objects", "EQUALITY objects");
    assertThat(picture.plans().get(2).totalBytes()).isEqualTo(5 * MIB + 1);
  }

  private static PlanReport report(List<TensorUsageRecord> records, List<MemoryStrategy> objects) {
    PlanProblem problem = PlanProblem.of(records);
    LowerBounds bounds = LowerBounds.of(problem);
    List<Plan> plans = new ArrayList<>();
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.NAIVE, MemoryStrategy.GREEDY_BY_SIZE, MemoryStrategy.TFLM_GREEDY)) {
      var assignment = strategy.planOffsets(problem);
      plans.add(
          new Plan.Offsets(
              Optional.of(strategy), assignment, OptionalDouble.of(0), Optional.empty()));
    }
    for (MemoryStrategy strategy : objects) {
      plans.add(
          new Plan.Objects(
              Optional.of(strategy),
              strategy.planObjects(problem),
              OptionalDouble.of(0),
              Optional.empty()));
    }
    List<RecordLabel> labels =
        IntStream.range(0, records.size()).mapToObj(i -> new RecordLabel("" + i, "t" + i)).toList();
    InputFile file = new InputFile("sample.csv", "csv", 1, OptionalLong.empty(), List.of());
    return PlanReport.of(new PlanInput.Tensors(file, labels, problem), Optional.of(bounds), plans);
  }
}
