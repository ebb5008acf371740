package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code replay --allocator}. */
class ReplayAllocatorTest {

  private static final String TRACE =
      """
      op,id,bytes,stream,t
      a,weights,3000000,0,0
      a,x,1000000,0,1
      a,y,5000000,0,2
      f,x,,0,3
      a,z,6000000,0,4
      a,w,30000000,0,5
      """;

  @TempDir private Path folder;

  private Path trace() throws IOException {
    return Files.writeString(folder.resolve("t.csv"), TRACE);
  }

  private static JsonNode json(CommandRun run) {
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void replay_pytorch_hasItsSegmentsAndAddresses() throws IOException {
    Path placements = folder.resolve("p.csv");
    CommandRun run =
        CommandRun.of(
            "replay",
            trace(),
            "--allocator",
            "pytorch",
            "--placements",
            placements,
            "--format",
            "json");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    JsonNode result = json(run);
    assertThat(result.get("regions").toString()).isEqualTo("[31457280,20971520,2097152]");
    assertThat(result.get("allocator").stringValue()).isEqualTo("pytorch");
    assertThat(result.get("settings").stringValue()).isEmpty();
    assertThat(result.get("device_calls").intValue()).isEqualTo(3);
    assertThat(result.get("confidence").stringValue()).isEqualTo("estimate");
    assertThat(result.has("peak_reserved_high_bytes")).isFalse();
    assertThat(Files.readString(placements))
        .isEqualTo(
            """
            id,bytes,region,offset,address
            weights,3000000,0,0,1152921504573292544
            x,1000000,1,0,1152921504594264064
            y,5000000,0,3000320,1152921504576292864
            z,6000000,0,8000512,1152921504581293056
            w,30000000,2,0,1152921504539738112
            """);
  }

  @Test
  void replay_pytorchSettings_areUsedAndPrinted() throws IOException {
    CommandRun run =
        CommandRun.of(
            "replay",
            trace(),
            "--allocator",
            "pytorch",
            "--settings",
            "roundup_power2_divisions:4, expandable_segments:True",
            "--format",
            "json");
    assertThat(json(run).get("settings").stringValue())
        .isEqualTo("roundup_power2_divisions:4,expandable_segments:True");
    assertThat(json(run).get("regions").toString()).isEqualTo("[62914560,2097152]");
  }

  @Test
  void replay_settingWithoutEffect_isANote() throws IOException {
    CommandRun run =
        CommandRun.of(
            "replay",
            trace(),
            "--allocator",
            "pytorch",
            "--settings",
            "garbage_collection_threshold:0.8");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: garbage_collection_threshold has no effect without a limit, as"
                + " set_per_process_memory_fraction sets it: add --limit\n");
  }

  @Test
  void replay_settingsOfHostMemory_areNotes() throws IOException {
    CommandRun run =
        CommandRun.of(
            "replay",
            trace(),
            "--allocator",
            "pytorch",
            "--settings",
            "pinned_num_register_threads:8,pinned_use_background_threads:True");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: pinned_num_register_threads has no effect on the replay, which has only device memory
            stowage: note: pinned_use_background_threads has no effect on the replay, which has only device memory
            """);
  }

  @Test
  void replay_pytorchTable_namesTheAllocatorAndTheFailure() throws IOException {
    CommandRun run = CommandRun.of("replay", trace(), "--allocator", "pytorch", "--limit", "30MiB");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .contains(
            """
            Replayed with PyTorch's caching allocator with its defaults, by the rules of PyTorch 2.13.
            5 allocations and 1 free, 1 failed.
            Retries: 1, each after cached memory was released and the device synchronized.

            PEAK\
            """)
        .contains(
            """
            Confidence: estimate.
              The trace is not a recording of PyTorch's allocator: segments that were held before\
             it, private pools, waiting frees and calls of empty_cache are not known.
            """)
        .contains(
            """
            First failure, event 6, 'w': out of memory:
              28.6 MiB (30,000,000 bytes) requested on stream 0, which needs a block of 28.6 MiB and a segment of 30 MiB.
              The limit permits 10 MiB more, 20 MiB too few.
              The largest cached block has 6.65 MiB.
              In use: 13.4 MiB; cached: 6.65 MiB; reserved: 20 MiB; limit: 30 MiB (31,457,280 bytes).
            """);
  }

  @ParameterizedTest
  @CsvSource({"bfc", "pytorch", "rmm"})
  void replay_failuresUnderALimit_exit4UnlessAllowed(String allocator) throws IOException {
    CommandRun run = CommandRun.of("replay", trace(), "--allocator", allocator, "--limit", "30MiB");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    CommandRun allowed =
        CommandRun.of(
            "replay", trace(), "--allocator", allocator, "--limit", "30MiB", "--allow-failures");
    assertThat(allowed.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(allowed.out()).isEqualTo(run.out());
  }

  @Test
  void replay_rmm_doublesThePool() throws IOException {
    CommandRun run =
        CommandRun.of(
            "replay", trace(), "--allocator", "rmm", "--first-region", "1MiB", "--format", "json");
    assertThat(json(run).get("regions").toString())
        .isEqualTo("[1048576,3000064,5000192,9048832,30000128]");
    assertThat(json(run).get("settings").stringValue()).isEqualTo("--first-region 1MiB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--allocator pytorch --max-dead 1MiB|--max-dead has no effect with --allocator pytorch;"
            + " omit it, or use --allocator bfc",
        "--allocator pytorch --no-growth|--no-growth has no effect with --allocator pytorch;"
            + " omit it, or use --allocator bfc",
        "--allocator pytorch --first-region 1MiB|--first-region has no effect with --allocator pytorch;"
            + " omit it, or use --allocator bfc or rmm",
        "--allocator rmm --expandable|--expandable has no effect with --allocator rmm;"
            + " omit it, or use --allocator bfc",
        "--allocator bfc --settings max_split_size_mb:64|--settings max_split_size_mb:64 has no effect with --allocator bfc;"
            + " omit it, or use --allocator pytorch",
        "--allocator rmm --empty-cache|--empty-cache has no effect with --allocator rmm;"
            + " omit it, or use --allocator pytorch",
        "--allocator bfc --phase 3=|--phase has no effect with --allocator bfc;"
            + " omit it, or use --allocator pytorch",
        "--no-growth --settings max_split_size_mb:64|--settings max_split_size_mb:64 has no effect with --allocator bfc;"
            + " omit it, or use --allocator pytorch",
        "--empty-cache --first-region 1MiB|--first-region has no effect with --allocator pytorch;"
            + " omit it, or use --allocator bfc or rmm",
        "--phase 3|--phase is '3', expected the number of an event, '=' and settings, such as"
            + " 400=max_split_size_mb:128",
        "--phase =|--phase is '=', expected the number of an event, '=' and settings, such as"
            + " 400=max_split_size_mb:128",
        "--phase 0=max_split_size_mb:64|--phase is '0=max_split_size_mb:64', expected the number of"
            + " an event, '=' and settings, such as 400=max_split_size_mb:128",
        "--phase 3=max_split_size_mb:1|--phase: setting 'max_split_size_mb' is '1', expected 20 or"
            + " more",
        "--allocator pytorch --settings max_split_size_mb:1|--settings: setting"
            + " 'max_split_size_mb' is '1', expected 20 or more",
        "--allocator pytorch --settings max_split_size_mb:128MB|--settings: setting"
            + " 'max_split_size_mb' is '128MB', expected a whole number without text behind it"
            + " (PyTorch reads 128)",
        "--allocator rmm --first-region 100|--first-region is 100, expected a multiple of 256 bytes"
            + " for --allocator rmm",
        "--allocator rmm --first-region 1MiB --limit 1KiB|--first-region is 1048576, expected at"
            + " most the --limit of 1024 bytes"
      })
  void replay_optionOfAnotherAllocator_exits2(String options, String message) throws IOException {
    String[] words = ("replay " + trace() + " " + options).split(" ");
    CommandRun run = CommandRun.of((Object[]) words);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }
}
