package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The formats of traces on the command line. */
final class ReplayFormatsTest {

  /** A word for each format, in the order of the list. */
  private static final List<String> WORDS =
      List.of("CSV", "RAPIDS", "JAX", "PyTorch", "JDK Flight Recorder", "as JSON");

  @TempDir private Path folder;

  @Test
  void help_namesEachFormat() {
    CommandRun run = CommandRun.of("replay", "--help");
    assertThat(run.out()).contains(WORDS);
  }

  @Test
  void replay_unknownFile_namesEachFormat() throws IOException {
    Path file = Files.writeString(folder.resolve("t.txt"), "hello\nworld\n");
    CommandRun run = CommandRun.of("replay", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith("stowage: " + file + ": starts with 'hello', expected a trace of CSV")
        .contains(WORDS);
    List<TraceFormat> formats = TraceReader.formats(TraceFormats.options());
    assertThat(formats).hasSameSizeAs(WORDS);
    for (int i = 0; i < WORDS.size(); i++) {
      assertThat(formats.get(i).description()).contains(WORDS.get(i));
    }
    assertThat(formats).extracting(TraceFormat::description).doesNotHaveDuplicates();
  }

  /** What {@code json.dump} writes: tuples are lists, and None is null. */
  @Test
  void replay_snapshotAsJson_isThatOfThePickle() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("t.json"),
            """
            {"segments": [
              {"device": 0, "address": 140000000000000, "total_size": 2097152, "stream": 0,
               "segment_type": "small", "segment_pool_id": [0, 7], "is_expandable": false,
               "blocks": [
                 {"address": 140000000000000, "size": 1024, "requested_size": 1000,
                  "state": "active_allocated", "frames": null},
                 {"address": 140000000001024, "size": 2096128, "requested_size": 0,
                  "state": "inactive", "frames": []}]}],
             "device_traces": [[
               {"action": "segment_alloc", "addr": 140000000000000, "size": 2097152, "stream": 0,
                "time_us": 1, "frames": [], "segment_pool_id": [0, 7]},
               {"action": "alloc", "addr": 140000000000000, "size": 1000, "stream": 0, "time_us": 2,
                "frames": [{"name": "forward", "filename": "a.py", "line": 3}],
                "segment_pool_id": [0, 7]}], []],
             "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:64",
               "max_split_size": 67108864, "expandable_segments": false},
             "external_annotations": []}
            """);
    CommandRun run = CommandRun.of("replay", file, "--format", "json");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains(
            "\"allocations\":1,",
            "\"allocator\":\"pytorch\",\"settings\":\"max_split_size_mb:64\",\"rules\":\"PyTorch 2.13\",",
            "\"recorded_addresses\":1,\"retries\":0,\"confidence\":\"exact\"");

    CommandRun explained = CommandRun.of("replay", file, "--explain");
    assertThat(explained.out()).contains("forward at a.py:3");

    Path cut = Files.writeString(folder.resolve("cut.json"), Files.readString(file).strip() + "]");
    assertThat(CommandRun.of("replay", cut).err())
        .startsWith("stowage: " + cut + ": line 17, column ")
        .hasLineCount(1);
    Path other = Files.writeString(folder.resolve("o.json"), "{\"segments\": [{}]}");
    assertThat(CommandRun.of("replay", other).err())
        .isEqualTo(
            "stowage: "
                + other
                + ": has no list 'device_traces', expected a memory snapshot of PyTorch\n");
  }

  @Test
  void replay_damagedFile_isOneError() throws IOException {
    Path file = Files.writeString(folder.resolve("t.json"), "{\"device_traces\": [[1,2");
    CommandRun run = CommandRun.of("replay", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
  }
}
