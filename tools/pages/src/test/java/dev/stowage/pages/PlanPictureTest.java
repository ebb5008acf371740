package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanPictureTest {

  /** The objects of NAIVE in their order: conv, add, c. */
  @Test
  void plan_ofObjects_hasThemOneAfterTheOther() {
    ShownPlan naive = Samples.withObjects().plans().get(2);
    assertThat(naive.drawn().offsets()).containsExactly(0, Samples.MIB, 4 * Samples.MIB);
    assertThat(naive.totalBytes()).isEqualTo(5 * Samples.MIB + 1);
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
