package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BudgetFitTest {

  private final List<Long> measured = new ArrayList<>();

  private final SortedMap<Long, Long> known = new TreeMap<>();

  private long loadOfOne = 10;

  private BudgetFit fit(long first, long last, long limitBytes) throws IOException {
    return BudgetFit.of(
        new MeasuredDimension("batch", List.of(first, last), true),
        limitBytes,
        known,
        size -> {
          measured.add(size);
          return loadOfOne * size;
        });
  }

  private void know(long... sizes) {
    for (long size : sizes) {
      known.put(size, 10 * size);
    }
  }

  @Test
  void of_range_bisectsBetweenTheMeasuredSizes() throws IOException {
    know(1, 4, 16, 64);

    assertThat(fit(1, 64, 375).largest()).hasValue(37);
    assertThat(measured).containsExactly(16L, 40L, 28L, 34L, 37L, 38L);
  }

  /** The last sizes are unknown if the machine has too little memory for them. */
  @Test
  void of_fewMeasuredSizes_bisectsToTheLast() throws IOException {
    know(1, 4);

    assertThat(fit(1, 16, 1000).largest()).hasValue(16);
    assertThat(measured).containsExactly(4L, 10L, 13L, 15L, 16L);
  }

  @Test
  void of_loadThatNeedsMoreThanSingleRounds_isNoLargerThanTheLoadAllows() throws IOException {
    know(1, 4, 16, 64);
    loadOfOne = 40;

    assertThat(fit(1, 64, 375).largest()).hasValue(9);
    assertThat(measured).containsExactly(16L, 1L, 8L, 12L, 10L, 9L);
  }

  @Test
  void of_loadThatNeverFits_hasNoSize() throws IOException {
    know(4, 64);
    loadOfOne = Long.MAX_VALUE / 64;

    assertThat(fit(4, 64, 640).largest()).isEmpty();
    assertThat(measured).contains(64L, 4L);
  }

  @Test
  void of_knownSizesThatDoNotFit_measuresNothing() throws IOException {
    know(4, 64);

    assertThat(fit(4, 64, 39).largest()).isEmpty();
    assertThat(measured).isEmpty();
  }
}
