package dev.stowage.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleSource;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;

/** Files of other programs, and figures of another reader. */
final class ReferenceFormatsTest {

  /** The allocations, frees and bytes of a trace. */
  private static final class Sums {

    private final Map<String, Long> live = new HashMap<>();
    private long allocations;
    private long frees;
    private long bytes;
    private long peakBytes;

    void add(AllocationEvent event) {
      switch (event) {
        case AllocationEvent.Allocate allocate -> {
          allocations++;
          bytes += allocate.bytes();
          peakBytes = Math.max(peakBytes, bytes);
          live.put(allocate.id(), allocate.bytes());
        }
        case AllocationEvent.Fail _ -> {}
        case AllocationEvent.Free free -> {
          frees++;
          bytes -= Objects.requireNonNull(live.remove(free.id()));
        }
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true) // the file is one of the larger set
  @SampleSource(
      folder = "traces",
      value = "formats/hta_memory_timeline.raw.gz, timeline, 3990, 3345, 3082832104, 332060904")
  void read_file_hasTheSumsOfAnotherReader(
      Path file, String format, long allocations, long frees, long peakBytes, long endBytes)
      throws IOException {
    Sums sums = new Sums();
    TraceSummary summary = TraceReader.read("t", file, TraceFormats.options(), sums::add);
    assertThat(summary.format()).isEqualTo(format);
    assertThat(sums.allocations).isEqualTo(allocations);
    assertThat(sums.frees).isEqualTo(frees);
    assertThat(sums.peakBytes).isEqualTo(peakBytes);
    assertThat(sums.bytes).isEqualTo(endBytes);
  }
}
