package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetFitTest {

  private final List<Long> measured = new ArrayList<>();

  private BudgetFit fit(long first, long last, long limitBytes) throws IOException {
    return BudgetFit.of(
        new MeasuredDimension("batch", List.of(first, last), true),
        limitBytes,
        size -> {
          measured.add(size);
          return 10 * size;
        });
  }

  @Test
  void of_range_bisectsToTheLargestThatFits() throws IOException {
    assertThat(fit(1, 64, 375).largest()).hasValue(37);
    assertThat(measured).containsExactly(64L, 1L, 32L, 48L, 40L, 36L, 38L, 37L);
  }

  @Test
  void of_rangeThatFits_measuresTheLastOnly() throws IOException {
    assertThat(fit(1, 64, 640).largest()).hasValue(64);
    assertThat(measured).containsExactly(64L);
  }

  @Test
  void of_rangeThatDoesNotFit_isEmpty() throws IOException {
    assertThat(fit(4, 64, 39).largest()).isEmpty();
    assertThat(fit(4, 4, 39).largest()).isEmpty();
  }
}
