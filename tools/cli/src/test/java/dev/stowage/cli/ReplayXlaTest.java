package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code replay --settings} with the variables of JAX. */
class ReplayXlaTest {

  private static final String LOG = "examples/formats/xla.txt";
  private static final String CSV = "examples/formats/trace.csv";
  private static final String OOM = "examples/jax/oom.log";
  private static final String GROWTH = "XLA_PYTHON_CLIENT_PREALLOCATE=false";

  @TempDir private Path folder;

  private static CommandRun replay(Object trace, Object... options) {
    List<Object> words = new ArrayList<>(List.of("replay", trace));
    words.addAll(List.of(options));
    return CommandRun.of(words.toArray());
  }

  private static JsonNode json(Object trace, Object... options) {
    List<Object> words = new ArrayList<>(List.of(options));
    words.addAll(List.of("--format", "json"));
    CommandRun run = replay(trace, words.toArray());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void replay_settings_replaceThoseOfTheLog() {
    JsonNode recorded = json(LOG);
    assertThat(recorded.get("settings").stringValue()).isEmpty();
    assertThat(recorded.get("recorded_addresses").intValue()).isEqualTo(4);

    JsonNode growth = json(LOG, "--settings", GROWTH);
    assertThat(growth.get("allocator").stringValue()).isEqualTo("xla");
    assertThat(growth.get("settings").stringValue()).isEqualTo(GROWTH);
    assertThat(growth.get("regions")).isEqualTo(recorded.get("regions"));
    assertThat(growth.has("recorded_addresses")).isFalse();
    assertThat(growth.get("confidence").stringValue()).isEqualTo("estimate");

    JsonNode small =
        json(
            LOG,
            "--limit",
            "10MB",
            "--settings",
            "export XLA_PYTHON_CLIENT_PREALLOCATE=0; XLA_PYTHON_CLIENT_MEM_FRACTION=.5");
    assertThat(small.get("settings").stringValue())
        .isEqualTo("XLA_CLIENT_MEM_FRACTION=.5 " + GROWTH);
    assertThat(small.get("peak_reserved_bytes").longValue()).isEqualTo(6 << 20);
  }

  /** Of 10 MB, 7.5 MB are rounded up to 8 MiB, in one region. */
  @Test
  void replay_theDefaults_preallocateTheirFractionOfTheDevice() {
    CommandRun run = replay(LOG, "--settings", "", "--limit", "10MB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith(LOG + ": ")
        .contains("\nReplayed with XLA's BFC allocator with its defaults.\n")
        .contains("Reserved at the end: 8,388,608 bytes (8.000 MiB) in 1 region")
        .contains("Confidence: exact.\n");
  }

  /** Without settings, the limit is that of the allocator. */
  @Test
  void replay_aLimitWithoutSettings_isTheLimitOfTheAllocator() {
    assertThat(replay(LOG, "--limit", "6MiB").exitCode()).isEqualTo(ExitCode.DONE);
    CommandRun share = replay(LOG, "--limit", "4MiB", "--settings", GROWTH);
    assertThat(share.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(share.out()).contains("limit: 4 MiB (4,194,304 bytes)");
  }

  @ParameterizedTest
  @CsvSource({
    "examples/formats/xla.txt, '', xla",
    "examples/formats/trace.csv, '', pytorch",
    "examples/attention.pickle, '', pytorch",
    "examples/formats/trace.csv, XLA_PYTHON_CLIENT_PREALLOCATE=false, xla",
    "examples/attention.pickle, XLA_CLIENT_MEM_FRACTION=.5, xla",
    "examples/formats/xla.txt, max_split_size_mb:64, pytorch"
  })
  void replay_settings_selectTheAllocator(String trace, String settings, String allocator) {
    assertThat(
            json(trace, "--settings", settings, "--limit", "16GiB").get("allocator").stringValue())
        .isEqualTo(allocator);
  }

  @Test
  void replay_severalSettings_areOneReplayEach() {
    CommandRun run =
        replay(
            LOG,
            "--limit",
            "10MB",
            "--settings",
            "",
            "--settings",
            GROWTH,
            "--settings",
            "XLA_FLAGS=--xla_a XLA_CLIENT_MEM_FRACTION=.4",
            "--format",
            "json");
    assertThat(run.out().lines().map(line -> new JsonMapper().readTree(line)))
        .extracting(line -> line.get("settings").stringValue() + line.get("regions"))
        .containsExactly(
            "[8388608]", GROWTH + "[4194304,2097152]", "XLA_CLIENT_MEM_FRACTION=.4[4194304]");
    assertThat(run.err())
        .startsWith(
            "stowage: note: XLA_FLAGS is not a setting that Stowage knows; it has no effect on the"
                + " replay\n");
    // Each of the empty settings is one of the allocator of the trace.
    assertThat(
            replay(LOG, "--limit", "10MB", "--settings", "", "--settings", "", "--format", "csv")
                .out())
        .hasLineCount(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--settings XLA_PYTHON_CLIENT_PREALLOCATE=true|--settings: JAX preallocates a share of the device,"
            + " expected --limit with the memory of the device (without --settings, the regions of a"
            + " log hold)",
        "--settings XLA_CLIENT_MEM_FRACTION=2 --limit 1GiB|--settings: XLA_CLIENT_MEM_FRACTION is"
            + " '2', expected a number above 0 and at most 1, such as .75",
        "--settings XLA_PYTHON_CLIENT_ALLOCATOR=platform|--settings: XLA_PYTHON_CLIENT_ALLOCATOR is"
            + " 'platform', which Stowage does not simulate, expected default or bfc",
        "--settings XLA_FLAGS=a --settings max_split_size_mb:64|--settings are of different"
            + " allocators, expected those of one: 'XLA_FLAGS=a', 'max_split_size_mb:64'",
        "--allocator pytorch --settings TF_X=1|--settings TF_X=1 has no effect with --allocator pytorch;"
            + " omit it, or use --allocator xla",
        "--allocator xla --settings max_split_size_mb:64|--settings: 'max_split_size_mb:64' is not an"
            + " assignment, expected one such as XLA_PYTHON_CLIENT_PREALLOCATE=false",
        "--settings PREALLOCATE=false|`--settings: the settings have 'the end' after"
            + " 'PREALLOCATE=false', expected ':'; the variables of JAX start with XLA_ or TF_`",
        "--settings TF_X=1 --phase 3=|--phase has no effect with --allocator xla;"
            + " omit it, or use --allocator pytorch",
        "--settings TF_X=1 --no-growth|--no-growth has no effect with --allocator xla;"
            + " omit it, or use --allocator bfc",
      })
  void replay_wrongSettings_exit2(String options, String message) {
    CommandRun run = replay(CSV, (Object[]) options.split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @Test
  void replay_withoutSettings_namesWhereTheRegionsAreFrom() {
    assertThat(replay(LOG).out())
        .startsWith(LOG + ": ")
        .contains("\nReplayed with XLA's BFC allocator with its defaults.\n")
        .contains("Confidence: exact.\n");
    assertThat(replay(CSV, "--allocator", "xla").out())
        .startsWith(CSV + ": ")
        .contains("\nReplayed with XLA's BFC allocator with its defaults.\n");
    assertThat(replay(LOG, "--limit", "100MiB").out())
        .startsWith(LOG + ": ")
        .contains("\nReplayed with XLA's BFC allocator with --limit 100MiB.\n")
        .contains("Confidence: estimate.\n  Of equal chunks");
  }

  @Test
  void replay_aReport_hasTheChangesThatJaxHas() {
    CommandRun run = replay(OOM);
    assertThat(run.out())
        .contains("First failure, event 1, '74'")
        .contains(": export XLA_PYTHON_CLIENT_PREALLOCATE=true\n")
        // The job has too little memory.
        .doesNotContain("leaves more memory");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(replay(OOM, "--format", "json").out()).contains("\"first_failure\":{\"event\":1,");
    // A true shortage is not a matter of regions.
    assertThat(replay(OOM, "--limit", "400MiB").out())
        .contains("The request and the memory in use are 81.3 MiB more than the limit.")
        .doesNotContain("PREALLOCATE=true");
    // Other rules place the chunks anew.
    assertThat(replay(OOM, "--allocator", "bfc").out())
        .contains("Confidence: estimate.\n  The report does not have the requests before it");
  }

  /** The device refused 6 MiB, of which the limit permits 18 GiB: jax#13428. */
  @Test
  void replay_aReportOnADeviceThatRefused_hasOneCauseAndItsRemedies() throws IOException {
    CommandRun run = replay(refused("tsl/framework/"));
    assertThat(run.out())
        .contains(
            "  The device refused 32 MiB (33,554,432 bytes) and smaller regions down to 6.59 MiB"
                + " (6,909,440 bytes), which the limit permits.\n",
            "  Look for other processes on the GPU: nvidia-smi ",
            "XLA_PYTHON_CLIENT_PREALLOCATE=false",
            "tf.config.experimental.set_memory_growth")
        .doesNotContain("limit higher", "more than the limit", "Raise the limit");
    assertThat(run.err()).doesNotContain("refused");
    assertThat(replay(refused("tensorflow/core/common_runtime/")).out()).doesNotContain("XLA_");
    assertThat(replay(refused(""), "--format", "json").out())
        .contains("\"failures\":1,", "\"verdict\":\"refused\"");
    // A higher limit does not change the device.
    assertThat(replay(refused(""), "--limit", "24GiB").out())
        .contains("The device refused 32 MiB (33,554,432 bytes) and smaller regions down to");
  }

  private Path refused(String source) throws IOException {
    String line = "2023-07-20 10:00:00.000001: W " + source + "bfc_allocator.cc:479] ";
    return Files.writeString(
        folder.resolve("oom.log"),
        """
        Allocator (GPU_0_bfc) ran out of memory trying to allocate 6.00MiB (rounded to 6291456)requested by op op_x
        Next region of size 8388608
        InUse at 7f0020000000 of size 8388608 next 18446744073709551615
        Next region of size 16777216
        InUse at 7f0040000000 of size 12582912 next 5
        Free  at 7f0040c00000 of size 4194304 next 18446744073709551615
             Summary of in-use Chunks by size:\s
        total_region_allocated_bytes_: 25165824 memory_limit_: 19327352832 available bytes: 19302187008 curr_region_allocation_bytes_: 33554432
        """
            .replaceAll("(?m)^", line));
  }

  /**
   * A job of TensorFlow whose request fails for its limit has no variables of JAX in its answer.
   */
  @Test
  void replay_aLogOfTensorFlow_hasNoSettingOfJax() throws IOException {
    String line =
        "2023-07-20 10:00:00.000001: I tensorflow/core/common_runtime/bfc_allocator.cc:1] ";
    Path log =
        Files.writeString(
            folder.resolve("job.log"),
            """
            Extending allocation by 2.00MiB bytes for GPU_0_bfc.
            Allocated memory at 0x302000000 to 0x302200000
            AllocateRaw GPU_0_bfc  2097152 0x302000000
            [mem-debug] DeallocateRaw,GPU_0_bfc,2097152,0x302000000,*** Begin stack trace ***
            Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.00MiB (rounded to 3145728)
            Next region of size 2097152
            Free  at 302000000 of size 2097152 next 18446744073709551615
            Summary of in-use Chunks by size:
            total_region_allocated_bytes_: 2097152 memory_limit_: 4194304 available bytes: 2097152 curr_region_allocation_bytes_: 4194304
            AllocateRaw GPU_0_bfc  3145728 0
            """
                .replaceAll("(?m)^", line));
    assertThat(replay(log).out())
        .contains("TF_GPU_ALLOCATOR=cuda_malloc_async")
        .doesNotContain("XLA_");
  }

  /** The first region becomes longer: xla PR #48985. */
  @Test
  void replay_aPoolThatGrowsAtItsUpperEnd_isDrawn() throws IOException {
    String line = "I1201 10:00:00.000001      21 bfc_allocator.cc:124] ";
    Path log =
        Files.writeString(
            folder.resolve("job.log"),
            """
            Extending allocation by 64.00MiB bytes for GPU_0_bfc.
            Allocated memory at 0x7f0000000000 to 0x7f0004000000
            AllocateRaw GPU_0_bfc  16777216 0x7f0003000000
            AllocateRaw GPU_0_bfc  16777216 0x7f0002000000
            AllocateRaw GPU_0_bfc  16777216 0x7f0001000000
            Extending allocation by 64.00MiB bytes for GPU_0_bfc.
            Allocated memory at 0x7f0004000000 to 0x7f0008000000
            AllocateRaw GPU_0_bfc  33554432 0x7f0006000000
            """
                .replaceAll("(?m)^", line));
    Path placements = folder.resolve("p.csv");
    Path page = folder.resolve("p.html");
    JsonNode replayed = json(log, "--explain", "--placements", placements, "--output", page);
    assertThat(replayed.get("recorded_addresses").longValue()).isEqualTo(4);
    assertThat(replayed.get("regions")).hasToString("[134217728]");
    assertThat(page).isNotEmptyFile();
    assertThat(placements)
        .hasContent(
            """
            id,bytes,region,offset,address
            0,16777216,0,50331648,139638027059200
            1,16777216,0,33554432,139638010281984
            2,16777216,0,16777216,139637993504768
            3,33554432,0,100663296,139638077390848
            """);
  }

  @Test
  void replay_severalReports_nameTheProgramAndTheEvent() {
    assertThat(replay(OOM, "examples/jax/job.log").out())
        .startsWith(
            "Requests fail in 2 of 2 replays, first in "
                + OOM
                + ", replayed with XLA's BFC allocator with its defaults.\n")
        .contains(
            "oom.log: First failure, event 1, '74'", "job.log: First failure, event 355, '214'");
  }

  /** Without unsplit rests, the second request would pass, but JAX has no such setting. */
  @Test
  void replay_internalFragmentation_hasNoOptionOfOtherAllocators() throws IOException {
    String line = "I1126 09:00:00.000001       7 bfc_allocator.cc:1] ";
    Path log =
        Files.writeString(
            folder.resolve("job.log"),
            "XLA backend allocating 3145728 bytes on device 0 for BFCAllocator.\n"
                + (line + "Extending allocation by 3.00MiB bytes for GPU_0_bfc.\n")
                + (line + "Allocated memory at 0x302000000 to 0x302300000\n")
                + (line + "AllocateRaw GPU_0_bfc  2000000 0x302000000\n")
                + (line + "Allocator (GPU_0_bfc) ran out of memory trying to allocate 256B\n")
                + (line + "AllocateRaw GPU_0_bfc  256 0\n"));
    CommandRun run = replay(log);
    assertThat(run.out())
        .contains("without these, the request would be within the limit")
        .doesNotContain("--max-dead");
    CommandRun limited = replay(log, "--limit", "4000256");
    assertThat(limited.exitCode()).as(limited.out()).isEqualTo(ExitCode.DONE);
    assertThat(limited.out())
        .contains("Reserved at the end: 4,000,256 bytes (3.815 MiB) in 1 region");
  }

  /** The settings with which the job was recorded give its regions. */
  @Test
  void replay_growthOfARealLog_hasTheRecordedRegions() throws IOException {
    Path log = SampleModels.folder("gpu/xla").resolve("jax_growth.log.gz");
    Path placements = folder.resolve("p.csv");
    Path recorded = folder.resolve("r.csv");
    JsonNode growth =
        json(log, "--settings", GROWTH, "--limit", "80GiB", "--placements", placements);
    assertThat(growth.get("regions")).isEqualTo(json(log, "--placements", recorded).get("regions"));
    assertThat(Files.readString(placements)).isEqualTo(Files.readString(recorded));
  }

  /** The same job on an H100 was recorded twice: with a fraction of .3, and with growth. */
  @ParameterizedTest
  @ValueSource(strings = {"jaxp", "jaxg"})
  void replay_settingsOfTheOtherRecording_predictWhatItReserved(String name) {
    Optional<Path> found = SampleModels.find("gpu/xla/" + name + ".log.gz");
    assumeTrue(found.isPresent(), "needs the larger set of logs (the folder ../shared/data)");
    Path log = found.get();
    assertThat(json(log, "--settings", GROWTH).get("peak_reserved_bytes").longValue())
        .isEqualTo(1_088_421_888);
    assertThat(
            json(log, "--settings", "XLA_CLIENT_MEM_FRACTION=.3", "--limit", "85015000000")
                .get("peak_reserved_bytes")
                .longValue())
        .isEqualTo(25_505_562_624L);
  }

  /** The answer on a report reads the file twice, and so writes the snapshot twice. */
  @Test
  void replay_aReportToASnapshot_leavesOnlyTheSnapshot() throws IOException {
    Path snapshot = folder.resolve("memory.pickle");
    assertThat(replay(OOM, "--output", snapshot).exitCode()).isEqualTo(ExitCode.NO_PLAN);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(snapshot);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void replay_aReportFromAPipe_isReadOnce() throws Exception {
    Path pipe = folder.resolve("oom.log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<Path> written =
        CompletableFuture.supplyAsync(() -> {
          try {
            return Files.write(pipe, Files.readAllBytes(Path.of(OOM)), StandardOpenOption.WRITE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });

    CommandRun run = replay(pipe.toString());

    assertThat(written.get(60, TimeUnit.SECONDS)).isEqualTo(pipe);
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains("300 MiB (314,576,896 bytes) requested");
  }

  /** With growth, the job would reserve 1 GiB if the limit of its log did not hold. */
  @Test
  void replay_settingsWithoutTheMemoryOfTheDevice_haveTheLimitOfTheLog() {
    Path log = SampleModels.examples().resolve("jax/job.log");
    CommandRun grown = CommandRun.of("replay", log, "--settings", GROWTH, "--format", "json");
    CommandRun whole =
        CommandRun.of("replay", log, "--settings", "", "--format", "json", "--allow-failures");

    assertThat(grown.exitCode()).as(grown.err()).isEqualTo(ExitCode.NO_PLAN);
    JsonNode line = new JsonMapper().readTree(grown.out());
    assertThat(line.get("limit_bytes").longValue()).isEqualTo(768 << 20);
    assertThat(line.get("reserved_bytes").longValue()).isLessThanOrEqualTo(768 << 20);
    assertThat(whole.exitCode()).as(whole.err()).isEqualTo(ExitCode.DONE);
    line = new JsonMapper().readTree(whole.out());
    assertThat(line.get("limit_bytes").longValue()).isEqualTo(768 << 20);
    assertThat(line.get("regions").toString()).isEqualTo("[805306368]");
  }
}
