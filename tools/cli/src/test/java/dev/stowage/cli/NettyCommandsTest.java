package dev.stowage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code replay}, {@code tune} and {@code diff} with a recording of Netty. */
class NettyCommandsTest {

  private static final String RECORDING = "examples/netty.jfr";
  private static final String PREFIX = "-Dio.netty.allocator.";

  private static JsonNode json(Object... words) {
    CommandRun run = CommandRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void replay_recordedSettings_reservesTheRecordedBytes() {
    JsonNode replay = json("replay", RECORDING, "--format", "json");

    assertThat(replay.get("allocator").asString()).isEqualTo("netty");
    assertThat(replay.get("settings").asString()).isEmpty();
    assertThat(replay.get("peak_reserved_bytes").asLong())
        .isEqualTo(replay.get("recorded_peak_reserved_bytes").asLong())
        .isEqualTo(12_582_912);
    assertThat(replay.get("confidence").asString()).isEqualTo("estimate");
  }

  @Test
  void replay_otherAllocator_replaysTheBuffers() {
    JsonNode replay = json("replay", RECORDING, "--format", "json", "--allocator", "bfc");

    assertThat(replay.get("allocator").asString()).isEqualTo("bfc");
    assertThat(replay.get("peak_requested_bytes").asLong()).isEqualTo(1 << 20);
  }

  @Test
  void replay_otherTrace_isAUsageError() {
    CommandRun run = CommandRun.of("replay", "examples/training.csv", "--allocator", "netty");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "a trace of the format 'csv' cannot be replayed in Netty, expected a recording of JDK"
                + " Flight Recorder with Netty's events");
    assertThat(CommandRun.of("tune", "examples/training.csv", "--allocator", "netty").exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void replay_missingVersion_namesTheLineThatFetchesIt() {
    CommandRun run = CommandRun.of("replay", RECORDING, "--engine", "4.2.99");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith(
            "stowage: " + RECORDING + ": Netty 4.2.99.Final is not in the local Maven repository (")
        .endsWith(
            "); fetch it with ./mvnw dependency:get"
                + " -Dartifact=io.netty:netty-buffer:4.2.99.Final\n");
  }

  @Test
  void replay_jars_areThoseOfTheProcess() throws IOException {
    Path folder = Path.of("tools/cli/target/netty");
    try (Stream<Path> files = Files.list(folder)) {
      String jars = files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
      CommandRun run = CommandRun.of("replay", RECORDING, "--engine", jars);

      assertThat(run.out())
          .contains("Replayed with Netty's allocator with its defaults, in Netty 4.");
      assertThat(run.out()).contains(" (--engine).\n");
    }
    CommandRun run = CommandRun.of("replay", RECORDING, "--engine", "pom.xml");
    assertThat(run.err())
        .startsWith("stowage: " + RECORDING + ": ")
        .doesNotContain("this is a bug");
  }

  @Test
  void replay_versionWhoseEventsHaveOtherNames_isRefused(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("netty-buffer-4.2.3.Final.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("io/netty/buffer/AllocateChunkEvent.class"));
      zip.write("AllocateChunkEvent".getBytes(UTF_8));
    }
    CommandRun run = CommandRun.of("replay", RECORDING, "--engine", jar);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + RECORDING
                + ": Netty 4.2.3 (--engine) has no events of chunks, expected Netty 4.2.4 or newer:"
                + " --engine selects a version\n");
  }

  @Test
  void replay_limit_failsRequests() {
    CommandRun run = CommandRun.of("replay", RECORDING, "--limit", "2MiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains("which needs a new chunk of 128 KiB.");
  }

  @Test
  void replay_unknownSetting_isNamed() {
    CommandRun run = CommandRun.of("replay", RECORDING, "--settings", PREFIX + "most=1");

    assertThat(run.out())
        .contains("This version of Netty has no io.netty.allocator.most, which changes nothing.\n");
  }

  @Test
  void replay_processThatDoesNotStart_hasItsReason() {
    CommandRun run =
        CommandRun.of("replay", RECORDING, "--allocator", "netty", "--settings", "-Xmx1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith(
            "stowage: " + RECORDING + ": the process that runs Netty 4.2.20 (of Stowage; the")
        .endsWith(
            "ended early: Error occurred during initialization of VM: Too small maximum heap\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--settings -Dio.netty.allocator.type=fast|--settings: io.netty.allocator.type is 'fast',"
            + " expected adaptive, pooled or unpooled",
        "--settings -Dio.netty.allocator.type=pooled --settings max_split_size_mb:64|--settings are of"
            + " different allocators, expected those of one: '-Dio.netty.allocator.type=pooled',"
            + " 'max_split_size_mb:64'",
        "--allocator netty --settings max_split_size_mb:64|--settings: 'max_split_size_mb:64' is not a"
            + " setting of Netty, expected one such as -Dio.netty.allocator.type=pooled",
        "--allocator xla --settings -Dio.netty.allocator.type=pooled|--settings:"
            + " '-Dio.netty.allocator.type=pooled' is not an assignment, expected one such as"
            + " XLA_PYTHON_CLIENT_PREALLOCATE=false",
        "--allocator netty --no-growth|--no-growth has no effect with --allocator netty;"
            + " omit it, or use --allocator bfc"
      })
  void replay_wrongSettings_isAUsageError(String options, String message) {
    CommandRun run =
        CommandRun.of((Object[]) ("replay " + RECORDING + " " + options).split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
  }

  @Test
  void tune_recording_hasThePropertiesToSet() {
    JsonNode tuning = json("tune", RECORDING, "--format", "json");

    assertThat(tuning.get("recorded_reserved_bytes").asLong()).isEqualTo(12_582_912);
    assertThat(tuning.get("paste").asString())
        .isEqualTo(
            PREFIX
                + "type=pooled "
                + PREFIX
                + "maxOrder=4 "
                + PREFIX
                + "normalCacheSize=0 "
                + PREFIX
                + "numDirectArenas=1 "
                + PREFIX
                + "smallCacheSize=0");
    assertThat(tuning.get("candidates").asInt()).isBetween(8, 12);
    assertThat(tuning.get("smallest_limit_bytes").asLong()).isEqualTo(1_179_648);
    JsonNode best = tuning.get("settings").get(0);
    JsonNode replay =
        json(
            "replay", RECORDING, "--format", "json", "--settings", best.get("settings").asString());
    assertThat(replay.get("peak_reserved_bytes").asLong())
        .isEqualTo(best.get("peak_reserved_bytes").asLong())
        .isEqualTo(1_179_648);
  }

  @Test
  void tune_recording_namesTheCostOfItsSettings() {
    assertThat(CommandRun.of("tune", RECORDING).out())
        .contains(
            "\nThese settings may cost time: threads wait for an arena, or Netty gets more chunks from"
                + " the system.\n");
  }

  @Test
  void explain_recording_dividesTheChunks() {
    CommandRun run = CommandRun.wide("replay", RECORDING, "--explain", "--at", "3700");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains("  kept segments  11,403,264  10.875 MiB       98.9 %\n")
        .contains("kept segments: stowage tune finds settings that keep less.");
  }

  @Test
  void diff_recordings_comparesTheBuffers() {
    CommandRun run = CommandRun.of("diff", RECORDING, RECORDING, "--by", "size");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).contains("No difference: both have the same groups of blocks in use.\n");
  }
}
