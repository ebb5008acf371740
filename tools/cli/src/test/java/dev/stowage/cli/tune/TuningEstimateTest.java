package dev.stowage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.netty.ChildNetty;
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
  void text_afterSomeReplays_hasTheTimeOfTheOthers() {
    TuningEstimate estimate = new TuningEstimate(3.32, 6, 96, 1_000_000);

    assertThat(estimate.isLong()).isTrue();
    assertThat(estimate)
        .hasToString("about 50 s or less for the other 90 of 96 replays of 1,000,000 events");
  }

  @Test
  void text_fromTwoMinutesOn_hasMinutes() {
    assertThat(new TuningEstimate(12, 4, 84, 1))
        .hasToString("about 4 min or less for the other 80 of 84 replays of 1 event");
  }

  @Test
  void isLong_belowTenSeconds_isFalse() {
    assertThat(new TuningEstimate(9.99, 4, 8, 100).isLong()).isFalse();
    assertThat(new TuningEstimate(10, 4, 8, 100).isLong()).isTrue();
  }

  @Test
  void isPossible_afterFourReplaysAndASixteenth_isTrue() {
    assertThat(TuningEstimate.isPossible(3, 5)).isFalse();
    assertThat(TuningEstimate.isPossible(4, 64)).isTrue();
    assertThat(TuningEstimate.isPossible(5, 96)).isFalse();
    assertThat(TuningEstimate.isPossible(6, 96)).isTrue();
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
            new ChildNetty(Optional.empty()));
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
