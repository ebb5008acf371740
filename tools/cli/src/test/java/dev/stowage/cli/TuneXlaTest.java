package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code tune} with the settings of XLA's allocator. */
class TuneXlaTest {

  private static final String LOG = "examples/formats/xla.txt";
  private static final String GROWTH = "XLA_PYTHON_CLIENT_PREALLOCATE=false";

  @TempDir private Path folder;

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  private Path preallocated() throws IOException {
    return Files.writeString(
        folder.resolve("job.log"),
        """
        I1123 08:42:10.000001 1 bfc_allocator.cc:1] Extending allocation by 10.00MiB bytes for GPU_0_bfc.
        I1123 08:42:10.000002 1 bfc_allocator.cc:1] Allocated memory at 0x302000000 to 0x302a00000
        I1123 08:42:10.000003 1 bfc_allocator.cc:1] AllocateRaw GPU_0_bfc  4300000 0x302000000
        """);
  }

  @Test
  void tune_aLogWithTheMemoryOfTheDevice_hasTheSmallestFraction() {
    CommandRun run = CommandRun.wide("tune", LOG, "--limit", "10MB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .isEqualTo(
            """
            examples/formats/xla.txt: With XLA_CLIENT_MEM_FRACTION=.21, XLA's BFC allocator reserves 4.000 MiB (4,194,304 bytes) at the peak, within the limit, 33.3 % less than recorded.
            Confidence: exact.
            The settings to use:
            export XLA_PYTHON_CLIENT_MEM_FRACTION=.21 XLA_PYTHON_CLIENT_PREALLOCATE=true
            Compared 160 settings for XLA's BFC allocator with a limit of 10,000,000 bytes (9.537 MiB) on 8 events, of which 6 differ.

            TRACE                          bytes             over requested
              requested (lower bound)  3,040,200  2.899 MiB
              plan with hindsight      3,040,200  2.899 MiB          +0.0 %
              reserved by XLA          6,291,456  6.000 MiB        +106.9 %

            SETTINGS                                                             reserved      over  device calls  failures
              XLA_CLIENT_MEM_FRACTION=.21                                       4.000 MiB   +38.0 %             1         0
              XLA_CLIENT_MEM_FRACTION=.42                                       6.000 MiB  +106.9 %             1         0
              XLA_PYTHON_CLIENT_PREALLOCATE=false (as recorded)                 6.000 MiB  +106.9 %             2         0
              the defaults                                                      8.000 MiB  +175.9 %             1         0
              XLA_CLIENT_MEM_FRACTION=.84                                      10.000 MiB  +244.9 %             1         0
              XLA_CLIENT_MEM_FRACTION=.21 XLA_PYTHON_CLIENT_PREALLOCATE=false   2.000 MiB   -31.0 %             1         1

            over: reserved over requested bytes
            """);
  }

  @Test
  void tune_aLogWithoutTheMemoryOfTheDevice_comparesGrowthAndTheRecordedRegion()
      throws IOException {
    CommandRun grown = CommandRun.of("tune", LOG);
    assertThat(grown.out())
        .contains(GROWTH + " (as recorded)\n")
        .contains("\nThe settings to use:\nexport " + GROWTH + "\nCompared ");
    CommandRun preallocated = CommandRun.of("tune", preallocated());
    assertThat(preallocated.out())
        .contains("  as recorded                          10.000 MiB")
        .contains("  reserved by XLA          10,485,760  10.000 MiB")
        .contains("\nConfidence: estimate. ")
        .doesNotContain("the defaults")
        .contains("\nThe settings to use:\nexport " + GROWTH + "\nCompared ");
  }

  @Test
  void tune_json_hasTheFieldsOfTheContract() throws IOException {
    JsonNode result =
        json(CommandRun.of("tune", preallocated(), "--limit", "100MiB", "--format", "json"));

    assertThat(result.get("allocator").stringValue()).isEqualTo("xla");
    assertThat(result.get("limit_bytes").longValue()).isEqualTo(100 << 20);
    assertThat(result.get("recorded_reserved_bytes").longValue()).isEqualTo(10 << 20);
    assertThat(result.get("confidence").stringValue()).isEqualTo("exact");
    assertThat(result.get("settings").get(0).get("settings").stringValue())
        .isEqualTo("XLA_CLIENT_MEM_FRACTION=.05");
    assertThat(result.get("settings").valueStream())
        .anyMatch(row ->
            row.get("baseline").booleanValue()
                && row.get("settings").stringValue().equals("XLA_CLIENT_MEM_FRACTION=.1")
                && row.get("peak_reserved_bytes").longValue() == 10 << 20);
    assertThat(result.get("paste").stringValue())
        .isEqualTo("export XLA_PYTHON_CLIENT_MEM_FRACTION=.05 XLA_PYTHON_CLIENT_PREALLOCATE=true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"80GB", "4GiB", "400MB"})
  void tune_settingsOfARealLogReplayed_haveTheReportedFigures(String limit) {
    Path log = SampleModels.folder("gpu/xla").resolve("jax_growth.log.gz");
    JsonNode tuned = json(CommandRun.of("tune", log, "--limit", limit, "--format", "json"));

    for (JsonNode row : List.of(tuned.get("settings").get(0), tuned.get("settings").get(3))) {
      JsonNode replayed =
          new JsonMapper()
              .readTree(
                  CommandRun.of(
                          "replay",
                          log,
                          "--limit",
                          limit,
                          "--settings",
                          row.get("settings").stringValue(),
                          "--format",
                          "json",
                          "--allow-failures")
                      .out());
      for (String figure : List.of("peak_reserved_bytes", "failures", "device_calls")) {
        assertThat(replayed.get(figure)).as(figure).isEqualTo(row.get(figure));
      }
    }
  }

  @Test
  void tune_csv_hasTheSettings() {
    CommandRun run = CommandRun.of("tune", LOG, "--limit", "10MB", "--format", "csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out().lines().skip(1))
        .allMatch(line -> line.startsWith(LOG + ",xla,"))
        .anyMatch(line -> line.startsWith(LOG + ",xla," + GROWTH + ",true,6291456,6291456,2,0,0,"));
  }

  @Test
  void tune_aDeviceThatIsTooSmall_exits4() {
    CommandRun run = CommandRun.of("tune", LOG, "--limit", "1MiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .isEqualTo(
            LOG
                + ": No setting helps: the program requests 2.899 MiB (3,040,200 bytes) at its peak,"
                + " and the limit is 1.000 MiB (1,048,576 bytes).\nConfidence: exact.\n");
  }
}
