package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.cli.input.RecordLabel;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanPictureTest {

  private final PlanPicture chain = Samples.chain();

  @Test
  void best_ofEquals_isTheFirst() {
    assertThat(chain.plans().get(1).totalBytes()).isEqualTo(chain.plans().get(2).totalBytes());
    assertThat(chain.best().strategy()).isEqualTo(MemoryStrategy.GREEDY_BY_SIZE);
  }

  @Test
  void best_ofEquals_isOneMadeAsOffsets() {
    PlanPicture single = Samples.of(List.of(TensorUsageRecord.of(1, 0, 0)));
    assertThat(single.plans().getFirst().strategy()).isEqualTo(MemoryStrategy.NAIVE);
    assertThat(single.best().strategy()).isEqualTo(MemoryStrategy.GREEDY_BY_SIZE);
  }

  @Test
  void new_withoutPlans_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new PlanPicture("t", List.of(), chain.labels(), chain.problem(), List.of(), 0))
        .withMessage("plans must not be empty");
  }

  @Test
  void new_withTooFewLabels_tellsBothCounts() {
    List<RecordLabel> labels = chain.labels().subList(0, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new PlanPicture("t", List.of(), labels, chain.problem(), chain.plans(), 0))
        .withMessage("the numbers of labels and records differ: labels=2, records=3");
  }

  @Test
  void new_withAPlanOfAnotherProblem_namesThePlan() {
    PlanPicture other = Samples.of(List.of(TensorUsageRecord.of(1, 0, 0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new PlanPicture("t", List.of(), chain.labels(), chain.problem(), other.plans(), 0))
        .withMessage("the numbers of offsets and records differ: plan=NAIVE, offsets=1, records=3");
  }

  /** The objects of NAIVE in their order: conv, add, c. */
  @Test
  void of_aReportWithObjects_hasThePlansOfTheTable() {
    PlanPicture picture = Samples.withObjects();
    assertThat(picture.plans())
        .extracting(plan -> plan.strategy() + " " + plan.kind())
        .containsExactly(
            "GREEDY_BY_SIZE offsets", "TFLM_GREEDY offsets", "NAIVE objects", "EQUALITY objects");
    ShownPlan naive = picture.plans().get(2);
    assertThat(naive.drawn().offsets()).containsExactly(0, Samples.MIB, 4 * Samples.MIB);
    assertThat(naive.totalBytes()).isEqualTo(5 * Samples.MIB + 1);
  }

  @Test
  void new_withAnIndexBehindThePlans_isRejected() {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() ->
            new PlanPicture("t", List.of(), chain.labels(), chain.problem(), chain.plans(), 3));
  }

  @Test
  void peak_ofManyRecords_isTheSumOfTheLiveParts() {
    PlanPicture picture = Samples.random(3_000);
    long peakTask = picture.peak().tasks().getFirst().firstTask();
    long live =
        Part.of(picture.problem()).stream()
            .filter(part -> part.firstTask() <= peakTask && peakTask <= part.lastTask())
            .mapToLong(Part::bytes)
            .sum();
    assertThat(live).isEqualTo(picture.best().boundBytes());
  }
}
