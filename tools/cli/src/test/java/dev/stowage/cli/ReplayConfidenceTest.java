package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The allocator that {@code replay} chooses for a recording, and the confidence in its result. */
class ReplayConfidenceTest {

  private static final String SNAPSHOT = "examples/attention.pickle";
  private static final String CSV = "examples/formats/trace.csv";

  @TempDir private Path folder;

  private static Path recording(String name) {
    return SampleModels.folder("gpu/pytorch").resolve(name + ".pickle.gz");
  }

  private static CommandRun replay(Object trace, String options) {
    List<Object> words = new ArrayList<>(List.of("replay", trace));
    words.addAll(List.of(options.strip().split(" +")));
    words.remove("");
    return CommandRun.of(words.toArray());
  }

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "examples/attention.pickle, '', pytorch",
    "examples/formats/rmm.txt, '', rmm",
    "examples/formats/xla.txt, '', xla",
    "examples/formats/xla.txt, --limit 8MiB, xla",
    "examples/formats/xla.txt, --expandable, bfc",
    "examples/formats/trace.csv, '', bfc",
    "examples/attention.pickle, --limit 4GiB, pytorch",
    "examples/attention.pickle, --empty-cache, pytorch",
    "examples/attention.pickle, --allocator bfc, bfc",
    "examples/attention.pickle, --no-growth --limit 4GiB, bfc",
    "examples/attention.pickle, --first-region 1MiB, bfc",
    "examples/formats/rmm.txt, --first-region 1MiB, rmm",
    "examples/formats/rmm.txt, --expandable, bfc",
    "examples/formats/rmm.txt, --settings max_split_size_mb:64, pytorch",
    "examples/formats/trace.csv, --settings max_split_size_mb:64, pytorch",
    "examples/formats/trace.csv, --phase 2=, pytorch",
    "examples/formats/trace.csv, --allocator rmm, rmm",
  })
  void replay_ofATrace_hasTheAllocatorOfTheRecordingOrOfTheOptions(
      String trace, String options, String allocator) {
    JsonNode result = json(replay(trace, options + " --allow-failures --format json"));

    assertThat(result.get("allocator").stringValue()).isEqualTo(allocator);
  }

  /** Only a pool of RMM needs a multiple of 256 bytes. */
  @Test
  void replay_optionThatOneAllocatorRejects_isAnErrorForItsRecordings() {
    CommandRun bfc = replay(CSV, "--first-region 1000");
    CommandRun rmm = replay("examples/formats/rmm.txt", "--first-region 1000");

    assertThat(bfc.exitCode()).as(bfc.err()).isEqualTo(ExitCode.DONE);
    assertThat(rmm.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(rmm.err())
        .startsWith(
            "stowage: --first-region is 1000, expected a multiple of 256 bytes for --allocator rmm"
                + "\n");
  }

  @Test
  void replay_table_namesTheAllocatorAndItsSettings() {
    assertThat(replay(SNAPSHOT, "").out())
        .startsWith(SNAPSHOT + ": PyTorch's caching allocator reserves 3.521 GiB ")
        .contains(
            """

            Confidence: exact.
            Replayed with PyTorch's caching allocator with its defaults, by the rules of PyTorch 2.13.
            36 allocations and 26 frees, 0 failed.
            """);
    assertThat(replay(SNAPSHOT, "--phase 20=max_split_size_mb:64 --phase 30=").out())
        .contains(
            "\nReplayed with PyTorch's caching allocator with its defaults, from event 20 on"
                + " with max_split_size_mb:64, from event 30 on with its defaults,"
                + " by the rules of PyTorch 2.13.\n");
    assertThat(replay("examples/formats/rmm.txt", "").out())
        .contains("\nReplayed with the pool of RAPIDS Memory Manager with its defaults.\n");
  }

  @Test
  void replay_withTheRecordedSettings_isExact() {
    JsonNode result = json(replay(recording("mempools-d"), "--format json"));

    assertThat(result.get("recorded_addresses").intValue()).isEqualTo(400);
    assertThat(result.get("retries").intValue()).isZero();
    assertThat(result.get("confidence").stringValue()).isEqualTo("exact");
    assertThat(result.get("confidence_reasons").isEmpty()).isTrue();
    assertThat(result.has("peak_reserved_low_bytes")).isFalse();
    assertThat(replay(recording("mempools-d"), "").out())
        .contains("\nAt the recorded address: 400 of 400 allocations.\n")
        .contains("\nConfidence: exact.\n");
  }

  /** Two runs of this job had peaks of 310,378,496 and 331,350,016 bytes. */
  @Test
  void replay_thatDependsOnOtherStreams_isARange() {
    String options = "--empty-cache --settings expandable_segments:True";
    JsonNode result = json(replay(recording("streams"), options + " --format json"));

    assertThat(result.has("recorded_addresses")).isFalse();
    assertThat(result.get("confidence").stringValue()).isEqualTo("range");
    assertThat(result.get("confidence_reasons").toString())
        .isEqualTo("[\"The peak depends on when the work of other streams ends.\"]");
    assertThat(result.get("peak_reserved_low_bytes").longValue()).isEqualTo(310_378_496);
    assertThat(result.get("peak_reserved_high_bytes").longValue()).isEqualTo(331_350_016);
    assertThat(replay(recording("streams"), options).out())
        .contains(
            """
            Confidence: range, 310,378,496 to 331,350,016 bytes (316.000 MiB) reserved at the peak.
              The peak depends on when the work of other streams ends.
            """);
  }

  /** The most probable run of these settings has 4 failures, another plausible one has 5. */
  @Test
  void replay_withARangeOfFailures_hasTheMostOfThem() {
    CommandRun run = replay(recording("pending-d"), "--limit 200MiB --format json");
    JsonNode result = new JsonMapper().readTree(run.out());

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(result.get("failures").intValue()).isEqualTo(5);
    assertThat(result.get("failures_low").intValue()).isEqualTo(4);
    assertThat(result.get("failures_high").intValue()).isEqualTo(5);
    assertThat(result.get("limit_bytes").longValue()).isEqualTo(200 << 20);
    assertThat(replay(recording("pending-d"), "--limit 200MiB").out())
        .contains(
            "The first of 5 failed requests, ",
            "\nConfidence: range, 207,618,048 to 209,715,200 bytes (200.000 MiB) reserved at the"
                + " peak.\n");
  }

  @Test
  void replay_withARange_hasItsHighEndAsThePeak() {
    JsonNode result =
        json(
            replay(
                recording("streams"),
                "--empty-cache --settings expandable_segments:True --format json"));

    assertThat(result.get("peak_reserved_bytes").longValue()).isEqualTo(331_350_016);
  }

  @Test
  void replay_withoutThePhasesOfTheJob_isAnEstimate() {
    JsonNode result = json(replay(recording("phases-d"), "--format json"));
    JsonNode inPhases =
        json(
            replay(
                recording("phases-d"),
                "--settings max_split_size_mb:20 --phase 400= --format json"));

    assertThat(result.get("confidence").stringValue()).isEqualTo("estimate");
    assertThat(result.get("confidence_reasons").get(0).stringValue())
        .endsWith(" of 610 allocations lie at the recorded address.");
    assertThat(inPhases.get("confidence").stringValue()).isEqualTo("exact");
    assertThat(inPhases.get("recorded_addresses").intValue()).isEqualTo(610);
  }

  @Test
  void replay_ofACsvFile_byPytorchsRulesIsAnEstimate() {
    assertThat(replay(CSV, "--allocator pytorch").out())
        .contains(
            """
            Confidence: estimate.
              The trace is not a recording of PyTorch's allocator: segments that were held before\
             it, private pools, waiting frees and calls of empty_cache are not known.
            """);
  }

  @Test
  void replay_severalSettings_haveARangeEach() {
    Path trace = recording("streams");
    CommandRun run =
        CommandRun.of(
            "replay", trace, CSV, "--settings", "", "--settings", "expandable_segments:True");

    assertThat(run.out())
        .containsPattern(", defaults\\s.* exact\n")
        .containsPattern(", expandable_segments:True\\s.* range\n")
        .containsPattern(", expandable_segments:True\\s.* estimate\n");
  }

  @Test
  void replay_unknownSettings_areKeptWithANote() throws IOException {
    String note = " is not a setting that Stowage knows; it has no effect on the replay\n";
    Path recorded = folder.resolve("recorded.pickle");

    CommandRun given =
        CommandRun.of(
            "replay",
            CSV,
            "--settings",
            "turbo:True",
            "--phase",
            "3=boost:[2,3]",
            "--output",
            recorded);
    CommandRun own = replay(recorded, "");
    CommandRun other = replay(recorded, "--settings max_split_size_mb:64");

    assertThat(given.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(given.err())
        .startsWith("stowage: note: turbo" + note + "stowage: note: boost" + note);
    assertThat(given.out()).contains("\n  Stowage does not know the effect of turbo, boost.\n");
    assertThat(Files.exists(recorded)).isTrue();
    assertThat(own.err()).isEqualTo("stowage: note: " + recorded + ": boost" + note);
    assertThat(own.out())
        .contains("caching allocator with boost:[2,3], by the rules of PyTorch 2.13.\n");
    assertThat(other.err()).isEmpty();
  }
}
