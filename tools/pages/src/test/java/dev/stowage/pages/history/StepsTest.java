package dev.stowage.pages.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.history.Steps.Step;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.replay.FreeBytes;
import dev.stowage.trace.replay.InUseBytes;
import dev.stowage.trace.replay.ReservedBytes;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StepsTest {

  private static final int MOST = 1 << 10;

  private final Steps<Long> steps = new Steps<>(MOST, Math::max);

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @Test
  void add_sameValue_isNoStep() {
    steps.add(1, 5L);
    steps.add(2, 5L);
    steps.add(3, 4L);

    assertThat(steps.steps()).containsExactly(new Step<>(1, 5L), new Step<>(3, 4L));
    assertThat(steps.groupEvents()).isEqualTo(1);
  }

  @Test
  void add_sameEventAgain_replacesItsValue() {
    steps.add(0, 5L);
    steps.add(0, 9L);
    steps.add(1, 4L);

    assertThat(steps.steps()).containsExactly(new Step<>(0, 9L), new Step<>(1, 4L));
  }

  /** A step has the largest value of its events. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void add_anyEvents_keepsTheLargestOfEachGroup(long seed) {
    Random random = new Random(seed);
    int events = 1 + random.nextInt(20 * MOST);
    int changeOneIn = 1 + random.nextInt(4);
    long[] exact = new long[events + 1];
    for (int event = 1; event <= events; event++) {
      exact[event] =
          event > 1 && random.nextInt(changeOneIn) > 0 ? exact[event - 1] : random.nextInt(1000);
      steps.add(event, exact[event]);
    }

    assertThat(steps.steps()).hasSizeLessThanOrEqualTo(MOST);
    long group = steps.groupEvents();
    for (int i = 0; i < steps.steps().size(); i++) {
      Step<Long> step = steps.steps().get(i);
      long end = i + 1 < steps.steps().size() ? steps.steps().get(i + 1).event() : events + 1;
      long start = step.event();
      assertThat(step.value())
          .as("events %s to %s in groups of %s", start, end, group)
          .isEqualTo(LongStream.range(start, end).map(at -> exact[(int) at]).max().orElseThrow());
    }
  }

  private static PartsAt parts(long event, long reserved, long requested) {
    InUseBytes used = new InUseBytes(requested, requested, requested);
    FreeBytes free = new FreeBytes(reserved - requested, 0, 0, 0);
    return new PartsAt(event, 0, new ReservedBytes(used, 0, free));
  }

  @Test
  void larger_parts_haveMoreReservedBytesAndThenMoreRequested() {
    PartsAt low = parts(1, 100, 60);
    PartsAt full = parts(2, 100, 80);
    PartsAt high = parts(3, 200, 10);

    assertThat(PartsAt.larger(low, full)).isSameAs(full);
    assertThat(PartsAt.larger(full, low)).isSameAs(full);
    assertThat(PartsAt.larger(low, low)).isSameAs(low);
    assertThat(PartsAt.larger(full, high)).isSameAs(high);
  }
}
