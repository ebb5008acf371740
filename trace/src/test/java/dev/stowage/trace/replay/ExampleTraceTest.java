package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The trace of {@code examples/}, compared with the code that creates it. */
final class ExampleTraceTest {

  private static final Path FILE =
      Path.of(System.getProperty("stowage.root"), "examples", "training.csv");

  @Test
  void training_file_equalsTheGeneratedOne() throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, TrainingTrace.csv());
    }
    assertThat(FILE).hasContent(TrainingTrace.csv());
  }

  /** The figures of the README. */
  @Test
  void training_splitEarlierAndExpandable_takesHalfTheMemory() throws IOException {
    ReplayResult seldom = replay(BfcOptions.growing());
    ReplayResult early = replay(BfcOptions.growing().withSplitThreshold(64 << 10));
    ReplayResult expandable = replay(BfcOptions.expandable().withSplitThreshold(64 << 10));

    assertThat(seldom.failures()).isZero();
    assertThat(overRequested(seldom)).isEqualTo("108.0 %");
    assertThat(early.peakReservedBytes()).isEqualTo(512 << 20);
    assertThat(overRequested(early)).isEqualTo("4.0 %");
    assertThat(overRequested(expandable)).isEqualTo("1.0 %");
  }

  private static String overRequested(ReplayResult result) {
    double share = result.peakReservedBytes() / (double) result.peakRequestedBytes() - 1;
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static ReplayResult replay(BfcOptions options) throws IOException {
    TraceReplay replay = new TraceReplay(options, PlacementConsumer.none());
    TraceReader.read("training.csv", FILE, TraceOptions.strict(), replay);
    return replay.result();
  }
}
