package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Snapshots that PyTorch recorded, without their stacks. The replay places each allocation at the
 * address that PyTorch recorded.
 */
class RecordedAddressesTest {

  /** {@return an example or a sample} */
  private static Path existing(String name) {
    Path example = SampleModels.examples().resolve(name);
    return Files.exists(example)
        ? example
        : SampleModels.folder("traces/pytorch_snapshot").resolve(name);
  }

  @ParameterizedTest
  @CsvSource({
    "attention.pickle, 36, 3781165056",
    "lm_medium_1024_inference.pickle.gz, 1280, 3204448256",
    "lm_medium_1024_training.pickle.gz, 7591, 25178406912",
    "lm_forward_mixed_b.pickle.gz, 4138, 47234154496",
  })
  void replay_withTheRecordedSettings_hasTheRecordedAddresses(
      String name, long allocations, long reservedBytes) throws IOException {
    Path file = existing(name);
    TraceReplay replay = new TraceReplay(PytorchRules.asRecorded(), PlacementConsumer.none());
    TraceSummary summary = TraceReader.read(name, file, TraceOptions.strict(), replay);
    RecordedState recorded = summary.recorded().orElseThrow();
    assertThat(replay.contradictions()).isZero();
    assertThat(replay.result().allocations() - recorded.olderBlocks()).isEqualTo(allocations);
    assertThat(replay.recordedAddresses()).hasValue(allocations);
    assertThat(replay.dependsOnAddresses()).isFalse();
    assertThat(recorded.reservedBytes()).isEqualTo(reservedBytes);
    assertThat(replay.result().reservedBytes()).isEqualTo(reservedBytes);
  }
}
