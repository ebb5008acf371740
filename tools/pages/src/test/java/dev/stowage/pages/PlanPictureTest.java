package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanPictureTest {

  private final PlanPicture chain = Samples.chain();

  private PlanPicture pictureOf(List<RecordLabel> labels, List<ShownPlan> plans, int bestIndex) {
    return new PlanPicture("t", List.of(), labels, chain.problem(), plans, bestIndex);
  }

  @Test
  void new_withoutPlans_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pictureOf(chain.labels(), List.of(), 0))
        .withMessage("plans must not be empty");
  }

  @Test
  void new_withTooFewLabels_tellsBothCounts() {
    List<RecordLabel> labels = chain.labels().subList(0, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pictureOf(labels, chain.plans(), 0))
        .withMessage("the numbers of labels and records differ: labels=2, records=3");
  }

  @Test
  void new_withAPlanOfAnotherProblem_namesThePlan() {
    PlanPicture other = Samples.of(List.of(TensorUsageRecord.of(1, 0, 0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pictureOf(chain.labels(), other.plans(), 0))
        .withMessage("the numbers of offsets and records differ: plan=NAIVE, offsets=1, records=3");
  }

  /** The objects of NAIVE in their order: conv, add, c. */
  @Test
  void plan_ofObjects_hasThemOneAfterTheOther() {
    ShownPlan naive = Samples.withObjects().plans().get(2);
    assertThat(naive.kind()).isEqualTo("objects");
    assertThat(naive.drawn().offsets()).containsExactly(0, Samples.MIB, 4 * Samples.MIB);
    assertThat(naive.totalBytes()).isEqualTo(5 * Samples.MIB + 1);
  }

  @Test
  void new_withAnIndexBehindThePlans_isRejected() {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> pictureOf(chain.labels(), chain.plans(), 3));
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
