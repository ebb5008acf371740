package dev.stowage.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.bfc.BfcOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The trace of {@code examples/} against the code that makes it. */
final class ExampleTraceTest {

  private static final Path FILE =
      Path.of(System.getProperty("stowage.root"), "examples", "training.csv");

  @Test
  void training_file_isWhatTheCodeMakes() throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, TrainingTrace.csv());
    }
    assertThat(FILE).hasContent(TrainingTrace.csv());
  }

  /** What README tells of it: splitting earlier takes a region less. */
  @Test
  void training_splitEarlier_takesHalfTheMemory() throws IOException {
    ReplayResult seldom = replay(BfcOptions.growing());
    ReplayResult early = replay(BfcOptions.growing().withMaxDeadBytes(64 << 10));

    assertThat(seldom.failures()).isZero();
    assertThat(seldom.peakReservedBytes()).isGreaterThan(2 * seldom.peakRequestedBytes());
    assertThat(early.peakReservedBytes()).isEqualTo(512 << 20);
    assertThat(early.peakRequestedBytes())
        .isBetween((512L << 20) * 960 / 1000, (512L << 20) * 963 / 1000);
  }

  private static ReplayResult replay(BfcOptions options) throws IOException {
    TraceReplay replay = new TraceReplay(options, PlacementConsumer.none());
    TraceReader.read("training.csv", FILE, TraceOptions.strict(), replay);
    return replay.result();
  }
}
