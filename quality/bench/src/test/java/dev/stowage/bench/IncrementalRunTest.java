package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("full")
class IncrementalRunTest {

  @ParameterizedTest
  @EnumSource
  void run_smallNetwork_agreesWithPlanningFromScratch(OperatorNetwork network) {
    IncrementalRun run = IncrementalRun.of(network, 70, 8, 1, 0);
    assertThat(IncrementalComparison.row(network, 70, 8, run))
        .matches("\\| %s, 70 \\| 1 to 8 \\|( [0-9,]+ \\|){3} .*".formatted(network));
  }
}
