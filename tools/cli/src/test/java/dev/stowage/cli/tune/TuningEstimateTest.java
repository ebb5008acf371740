package dev.stowage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.tune.TraceTuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningEstimateTest {

  @TempDir private Path folder;

  @Test
  void text_ofReplaysInTwoThreads_hasHalfOfTheirTime() {
    TuningEstimate estimate = new TuningEstimate(1.04, 96, 1_000_000, 2);

    assertThat(estimate.isLong()).isTrue();
    assertThat(estimate)
        .hasToString(
            "about 50 s for 96 replays of 1,000,000 events; replays with bad settings end early");
  }

  @Test
  void text_fromTwoMinutesOn_hasMinutes() {
    assertThat(new TuningEstimate(10, 91, 7, 4).toString()).startsWith("about 4 min for 91 ");
    assertThat(new TuningEstimate(119.4, 1, 1, 4).toString())
        .startsWith("about 119 s for 1 replay of 1 event;");
  }

  @Test
  void isLong_belowTenSeconds_isFalse() {
    assertThat(new TuningEstimate(4.99, 4, 100, 2).isLong()).isFalse();
    assertThat(new TuningEstimate(5, 4, 100, 2).isLong()).isTrue();
  }

  /** A search as in the command, whose estimate has the time of a real replay. */
  @Test
  void run_estimatesOnceWithTheNumbersOfReplaysAndEvents() throws IOException {
    Path trace = folder.resolve("trace.csv");
    Files.writeString(trace, "op,id,bytes,stream,t\na,x,4194304,0,0\nf,x,,0,1\n");
    TuningInput input = TuningInput.read(trace.toString(), TraceOptions.strict());
    TuningRequest request =
        new TuningRequest(
            Optional.of(AllocatorKind.pytorch),
            OptionalLong.empty(),
            false,
            Optional.empty(),
            Optional.empty());
    TraceTuning tuning = request.tuning(input, List.of());
    List<TuningEstimate> estimates = new ArrayList<>();
    new TuningRunner(request, new Interruption())
        .run(
            input,
            tuning,
            new TuningRunner.Progress() {
              @Override
              public void estimated(TuningEstimate estimate) {
                estimates.add(estimate);
              }

              @Override
              public void replayed(int doneCount) {}
            });

    assertThat(estimates).hasSize(1);
    assertThat(estimates.getFirst().replayCount()).isEqualTo(tuning.replayCount());
    assertThat(estimates.getFirst().eventCount()).isEqualTo(2);
  }
}
