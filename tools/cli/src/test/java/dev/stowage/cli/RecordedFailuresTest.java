package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recordings that end with a failed request. */
class RecordedFailuresTest {

  @TempDir private Path folder;

  private static Path sample(String name) {
    return SampleModels.folder("traces/failures").resolve(name);
  }

  private static JsonNode json(CommandRun run) {
    return new JsonMapper().readTree(run.out());
  }

  private static CommandRun replay(Path trace, String... options) {
    List<Object> words = new ArrayList<>(List.of("replay", trace));
    words.addAll(Arrays.asList(options));
    words.addAll(List.of("--format", "json"));
    return CommandRun.of(words.toArray());
  }

  @ParameterizedTest
  @CsvSource({
    "oom-snapshot.pickle.gz, ,                                   1, fragmented,   true,  4",
    "oom-snapshot.pickle.gz, --settings=expandable_segments:True, 0, ,             ,      0",
    "pending.pickle.gz,      --limit=64MiB,                       1, transient,    false, 4",
    "rmm.csv,                ,                                    2, does_not_fit, true,  4",
    "rmm.csv,                --limit=8GiB,                        0, ,             ,      0",
  })
  void replay_recording_reproducesItsFailures(
      String name, String option, int failures, String verdict, Boolean isRecorded, int exitCode) {
    CommandRun run =
        option == null ? replay(sample(name)) : replay(sample(name), option.split("=", 2));

    assertThat(run.exitCode()).isEqualTo(exitCode);
    JsonNode line = json(run);
    assertThat(line.get("failures").intValue()).isEqualTo(failures);
    if (failures > 0) {
      assertThat(line.get("first_failure").get("verdict").stringValue()).isEqualTo(verdict);
      assertThat(line.get("first_failure").get("recorded").booleanValue()).isEqualTo(isRecorded);
    }
  }

  @Test
  void replay_snapshotOfAFullDevice_hasTheLimitOfTheDevice() {
    JsonNode line = json(replay(sample("oom-snapshot.pickle.gz")));

    assertThat(line.get("limit_low_bytes").longValue()).isEqualTo(56_547_606_528L);
    assertThat(line.get("limit_high_bytes").longValue()).isEqualTo(94_774_493_183L);
    assertThat(line.get("recorded_addresses").intValue()).isEqualTo(42);
    assertThat(line.get("confidence").stringValue()).isEqualTo("exact");
    assertThat(line.get("first_failure").get("requested_bytes").longValue())
        .isEqualTo(38_225_208_832L);
  }

  @Test
  void tune_snapshotOfAFullDevice_findsExpandableSegments() {
    CommandRun run = CommandRun.of("tune", sample("oom-snapshot.pickle.gz"), "--format", "json");

    JsonNode line = json(run);
    assertThat(line.get("paste").stringValue())
        .isEqualTo("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
  }

  /** Segments of a pool with an allocator of its own are not expandable. */
  @Test
  void replay_poolThatIsNotExpandable_isAsRecorded() {
    JsonNode line = json(replay(sample("custom-pool.pickle.gz")));

    assertThat(line.get("peak_reserved_bytes").longValue()).isEqualTo(136_314_880L);
    assertThat(line.get("recorded_addresses").intValue()).isEqualTo(3);
  }

  @Test
  void replay_outputWithFailures_isReadWithTheSameFailure() {
    Path trace = sample("oom-snapshot.pickle.gz");
    Path written = folder.resolve("x.pickle");
    JsonNode first = json(replay(trace, "--output", written.toString()));
    JsonNode second = json(replay(written));

    assertThat(second.get("failures")).isEqualTo(first.get("failures"));
    assertThat(second.get("first_failure").get("verdict"))
        .isEqualTo(first.get("first_failure").get("verdict"));
    assertThat(second.get("limit_low_bytes")).isEqualTo(first.get("limit_low_bytes"));
  }

  /** The example is a replay with a limit; {@code -Dgolden.update=true} writes it. */
  @Test
  void replay_withALimit_writesTheExample() throws IOException {
    Path example = Path.of("examples/oom.pickle");
    Path written = folder.resolve("oom.pickle");
    replay(
        Path.of("examples/attention.pickle"), "--limit", "3400MiB", "--output", written.toString());
    if (Boolean.getBoolean("golden.update")) {
      Files.copy(written, example, StandardCopyOption.REPLACE_EXISTING);
    }

    assertThat(written).hasSameBinaryContentAs(example);
  }

  /** A free of another stream that ends during a retry: the request passes if it is repeated. */
  @Test
  void replay_outputOfATransientFailure_isTransientAgain() {
    Path written = folder.resolve("x.pickle");
    replay(sample("pending.pickle.gz"), "--limit", "64MiB", "--output", written.toString());
    JsonNode failure = json(replay(written)).get("first_failure");

    assertThat(failure.get("verdict").stringValue()).isEqualTo("transient");
    assertThat(failure.get("recorded").booleanValue()).isTrue();
  }

  @Test
  void replay_failureOfNoBytes_isNone() throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("t.csv"), "op,id,bytes,stream,t\nx,2,0,0,2\na,3,1000,0,3\n");
    CommandRun run = replay(trace);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(json(run).get("failures").intValue()).isZero();
  }

  /** A failure below the peak of the recording: no limit explains it. */
  @Test
  void replay_failureThatNoLimitExplains_isRefusedAsRecorded() throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("t.csv"),
            "op,id,bytes,stream,t\na,1,9000000,0,0\nf,1,,0,1\nx,2,1000,0,2\na,3,1000,0,3\n");
    CommandRun run = replay(trace);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    JsonNode line = json(run);
    assertThat(line.get("failures").intValue()).isEqualTo(1);
    assertThat(line.get("first_failure").get("verdict").stringValue()).isEqualTo("refused");
    assertThat(line.get("confidence").stringValue()).isEqualTo("estimate");
    assertThat(line.get("confidence_reasons").get(0).stringValue())
        .isEqualTo(
            "1 request failed in the recording for a reason that the recording does not have.");
  }
}
