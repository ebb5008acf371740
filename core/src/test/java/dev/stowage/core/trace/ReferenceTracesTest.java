package dev.stowage.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.trace.pytorch.SnapshotHistory;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real histories, and the results of the reference allocator. */
final class ReferenceTracesTest {

  /** Larger traces, which are not part of the project. */
  private static final Path FOLDER =
      Path.of(System.getProperty("stowage.root", ".."), "..", "shared", "data", "traces");

  @TempDir private Path temp;

  /** {@return a file of the project, or of the larger set if the project does not have it} */
  private Path existing(String folder, String name) throws IOException {
    if (name.equals("tiny_97_events.pickle")) {
      return SampleModels.examples().resolve("attention.pickle");
    }
    try (InputStream resource =
        ReferenceTracesTest.class.getResourceAsStream("reference/" + name)) {
      if (resource != null) {
        Path copy = temp.resolve(name);
        Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
        return copy;
      }
    }
    Path file = FOLDER.resolve(folder).resolve(name);
    assumeTrue(Files.exists(file), () -> "skipped: there is no trace " + file);
    return file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hta_df_index_resolver",
        "lm_forward_mixed_b",
        "lm_medium_1024_inference",
        "lm_medium_1024_training",
        "resnet50_workers0_gpu",
        "tiny_97_events"
      })
  void replay_realTrace_isTheReferences(String name) throws IOException {
    Path trace = existing("normalized", name + ".csv.gz");
    JsonNode expected =
        JsonMapper.shared()
            .readTree(Files.readString(existing("normalized", "expected_replay.json")))
            .get(name + ".csv.gz");

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lm_forward_mixed_b",
        "lm_medium_1024_inference",
        "lm_medium_1024_training",
        "tiny_97_events"
      })
  void read_realSnapshot_hasTheRequestsOfItsCsv(String name) throws IOException {
    assertThat(requests(existing("pytorch_snapshot", name + ".pickle")))
        .isEqualTo(requests(existing("normalized", name + ".csv.gz")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lm_forward_mixed_b",
        "lm_medium_1024_inference",
        "lm_medium_1024_training",
        "tiny_97_events"
      })
  void replay_realSnapshot_hasTheMemoryOlderThanTheRecording(String name) throws IOException {
    String file = name + ".pickle";
    JsonNode expected =
        JsonMapper.shared()
            .readTree(Files.readString(existing("", "snapshot_expected.json")))
            .get(file);
    TraceReplay replay = new TraceReplay(BfcOptions.growing(), PlacementConsumer.none());

    TraceSummary summary =
        TraceReader.read("t", existing("pytorch_snapshot", file), TraceOptions.strict(), replay);

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
            case AllocationEvent.Free free -> "f " + order.get(free.id());
          });
    }
  }
}
