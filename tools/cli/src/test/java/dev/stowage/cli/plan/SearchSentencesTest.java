package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SearchSentencesTest {

  @Test
  void of_interruptionBeforeTheFirstPlan_promisesNoPlans() {
    PlanProblem problem = PlanProblem.of(List.of());
    InputFile file = new InputFile("p.csv", "csv", 0, OptionalLong.empty(), List.of());
    PlanReport report =
        new PlanReport(
                new PlanInput.Tensors(file, List.of(), problem),
                Optional.of(LowerBounds.of(problem)),
                List.of(),
                List.of())
            .interrupted();
    assertThat(SearchSentences.of(report)).containsExactly("Interrupted before the first plan.");
  }
}
