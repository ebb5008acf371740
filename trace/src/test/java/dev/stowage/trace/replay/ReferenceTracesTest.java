package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.pytorch.SnapshotHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real histories, and the results of the reference allocator. */
final class ReferenceTracesTest {

  private static final Path FOLDER = SampleModels.folder("traces");

  /** {@return the expected figures of a trace} */
  private static JsonNode expected(String file, String trace) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(FOLDER.resolve(file))).get(trace);
  }

  @ParameterizedTest
  @SampleSource(
      folder = "traces/normalized",
      extension = ".csv.gz",
      value = {
        "hta_df_index_resolver",
        "lm_forward_mixed_b",
        "lm_medium_1024_inference",
        "lm_medium_1024_training",
        "resnet50_workers0_gpu",
        "tiny_97_events"
      })
  void replay_realTrace_isTheReferences(Path trace) throws IOException {
    JsonNode expected = expected("normalized/expected_replay.json", trace.getFileName().toString());

    assertReplay(trace, BfcOptions.growing(), expected.get("growth"));
    JsonNode oneRegion = expected.get("one_region_105pct");
    assertReplay(trace, BfcOptions.oneRegion(oneRegion.get("limit_bytes").longValue()), oneRegion);
    assertReplay(
        trace,
        BfcOptions.growing().withSplitThreshold(4 << 20),
        expected.get("growth_max_dead_4MiB"));
  }

  private static void assertReplay(Path trace, BfcOptions options, JsonNode expected)
      throws IOException {
    TraceReplay replay = new TraceReplay(options, PlacementConsumer.none());
    TraceReader.read("t", trace, TraceOptions.strict(), replay);
    ReplayResult result = replay.result();
    assertThat(
            List.of(
                result.allocations(),
                result.frees(),
                result.failures(),
                result.peakRequestedBytes(),
                result.peakInUseBytes(),
                result.reservedBytes(),
                (long) result.regionBytes().size()))
        .containsExactly(
            expected.get("allocations").longValue(),
            expected.get("frees").longValue(),
            expected.get("failures").longValue(),
            expected.get("peak_requested_bytes").longValue(),
            expected.get("peak_in_use_bytes").longValue(),
            expected.get("reserved_bytes").longValue(),
            expected.get("regions").longValue());
  }

  /** Those in every clone have no stacks. */
  static Stream<Arguments> snapshots() {
    List<String> names =
        List.of("lm_forward_mixed_b", "lm_medium_1024_inference", "lm_medium_1024_training");
    return Stream.concat(
        Stream.of(
            Arguments.of("tiny_97_events", SampleModels.examples().resolve("attention.pickle"))),
        names.stream()
            .flatMap(name ->
                Stream.of(".pickle.gz", ".pickle")
                    .map(extension -> "traces/pytorch_snapshot/" + name + extension)
                    .flatMap(file -> SampleModels.find(file).stream())
                    .map(file ->
                        Arguments.of(name, Named.of(file.getFileName().toString(), file)))));
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  void read_realSnapshot_hasTheRequestsOfItsCsv(String name, Path snapshot) throws IOException {
    assertThat(requests(snapshot))
        .isEqualTo(requests(FOLDER.resolve("normalized").resolve(name + ".csv.gz")));
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  void replay_realSnapshot_hasTheMemoryOlderThanTheRecording(String name, Path snapshot)
      throws IOException {
    JsonNode expected = expected("snapshot_expected.json", name + ".pickle");
    TraceReplay replay = new TraceReplay(BfcOptions.growing(), PlacementConsumer.none());

    TraceSummary summary = TraceReader.read("t", snapshot, TraceOptions.strict(), replay);

    RecordedState recorded = summary.recorded().orElseThrow();
    assertThat(
            List.of(
                replay.result().allocations() - recorded.olderBlocks(),
                recorded.olderBlocks(),
                recorded.olderBytes(),
                replay.result().peakRequestedBytes(),
                recorded.reservedBytes()))
        .containsExactly(
            expected.get("allocations").longValue(),
            expected.get("older_blocks").longValue(),
            expected.get("older_bytes").longValue(),
            expected.get("peak_requested_bytes").longValue(),
            expected.get("recorded_reserved_bytes").longValue());
  }

  /**
   * {@return the bytes of each allocation, and the index of the allocation that each free ends,
   * without blocks that were in use all the time, which the CSV files lack}
   */
  private static List<String> requests(Path trace) throws IOException {
    Requests requests = new Requests();
    TraceReader.read("t", trace, TraceOptions.strict(), requests);
    return requests.lines;
  }

  private static final class Requests implements EventConsumer {

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Set<String> neverFreed = new HashSet<>();

    @Override
    public void snapshot(SnapshotHistory history) {
      for (int i = 0; i < history.older().size(); i++) {
        if (history.older().get(i).blockBytes().isPresent()) {
          neverFreed.add(Integer.toString(i));
        }
      }
    }

    @Override
    public void accept(AllocationEvent event) {
      if (neverFreed.contains(event.id())) {
        assertThat(event).isInstanceOf(AllocationEvent.Allocate.class);
        return;
      }
      lines.add(
          switch (event) {
            case AllocationEvent.Allocate allocate -> {
              order.put(allocate.id(), order.size());
              yield "a " + allocate.bytes();
            }
            case AllocationEvent.Fail fail -> "x " + fail.request().bytes();
            case AllocationEvent.Free free -> "f " + order.get(free.id());
          });
    }
  }
}
