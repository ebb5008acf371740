package dev.stowage.trace.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of Netty's events as traces. */
final class NettyTraceTest {

  @TempDir private Path folder;

  private final List<AllocationEvent> events = new ArrayList<>();
  private final List<RecordedProgram> programs = new ArrayList<>();

  private TraceSummary read(String workload) throws Exception {
    Path recording = folder.resolve("netty.jfr");
    NettyRun.of("-XX:ActiveProcessorCount=3", List.of(workload, "1", recording.toString()));
    return TraceReader.read(
        "netty.jfr",
        recording,
        TraceOptions.strict(),
        new EventConsumer() {
          @Override
          public void program(RecordedProgram program) {
            programs.add(program);
          }

          @Override
          public void accept(AllocationEvent event) {
            events.add(event);
          }
        });
  }

  @Test
  void read_kindsOfBuffers_hasTheDirectOnes() throws Exception {
    TraceSummary summary = read("kinds");

    assertThat(summary.format()).isEqualTo("netty");
    assertThat(summary.notes())
        .containsExactly(
            "1 buffer is older than the recording, and is allocated at its start",
            "3 allocations of heap buffers are left out, because they have no addresses");
    assertThat(summary.peakReservedBytes()).isEmpty();
    assertThat(programs).hasSize(1);
    assertThat(programs.getFirst().settings())
        .matches(
            "-Dio\\.netty\\.availableProcessors=3 -Xmx\\d+ -Dio\\.netty\\.allocator\\.type=adaptive");
    // A buffer of 700 bytes that grows to 5000, one of 0 bytes, and the older one of 300.
    assertThat(operations())
        .containsExactly("a 0 300", "a 1 700", "a 2 5000", "f 1", "a 3 1", "f 3", "f 2", "f 0");
  }

  private List<String> operations() {
    return events.stream()
        .map(event ->
            switch (event) {
              case AllocationEvent.Allocate allocate ->
                  "a " + allocate.id() + " " + allocate.bytes();
              case AllocationEvent.Fail fail -> "x " + fail.request().bytes();
              case AllocationEvent.Free free -> "f " + free.id();
            })
        .toList();
  }

  @Test
  void read_damagedRecording_readsTheEventsBefore() throws Exception {
    read("small");
    Path recording = folder.resolve("netty.jfr");
    byte[] bytes = Files.readAllBytes(recording);
    Path cut = folder.resolve("cut.jfr");
    for (int length : new int[] {bytes.length - 1, bytes.length / 2, 100, 10}) {
      Files.write(cut, Arrays.copyOf(bytes, length));
      TraceSummary summary =
          TraceReader.read("cut.jfr", cut, TraceOptions.strict().withLenience(), events::add);
      assertThat(summary.skippedCount()).isPositive();
    }
  }
}
