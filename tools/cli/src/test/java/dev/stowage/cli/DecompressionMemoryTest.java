package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The memory of an application into which TensorFlow Lite Micro decompresses constants. */
class DecompressionMemoryTest {

  private static final String OVERWRITTEN =
      "TFLM_DECODE 1 overwrites g0t3 in the memory for decompression before CONV_2D 2 reads it: the outputs are wrong";

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void copyModel() throws IOException {
    model = copy("decode.tflite");
  }

  private Path copy(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(DecompressionMemoryTest.class.getResourceAsStream(name))) {
      Files.copy(in, copy);
    }
    return copy;
  }

  private CommandRun planned(Object... options) {
    Object[] arguments = {"plan", model, "--runtime", "tflm", "--no-scratch", "--strategy"};
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("OPTIMAL");
    all.addAll(List.of(options));
    return CommandRun.of(all.toArray());
  }

  private static JsonNode tflm(CommandRun run) {
    return JsonMapper.shared().readTree(run.out()).get("tflm");
  }

  @Test
  void plan_withoutMemory_decompressesIntoTheHead() {
    CommandRun run = planned("--format", "json");

    assertThat(tflm(run).get("without_plan_bytes").asLong()).isEqualTo(3200);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: %s: constants decompressed into the head: 3; in 1152 bytes of the application for all of them, operators would overwrite some before they are read\n"
                .formatted(model));
  }

  /** The note names memory only if the outputs are right with it. */
  @Test
  void plan_recommendedMemory_hasRightOutputs() throws IOException {
    model = copy("decode-safe.tflite");

    assertThat(planned().err())
        .isEqualTo(
            "stowage: note: %s: constants decompressed into the head: 3; --decompression-memory 384 plans memory of the application for all of them\n"
                .formatted(model));
    assertThat(planned("--decompression-memory", "384").err()).isEmpty();
  }

  @Test
  void plan_memory_leavesConstantsOutOfTheHead() {
    CommandRun run = planned("--format", "json", "--decompression-memory", "1152");

    assertThat(tflm(run).get("without_plan_bytes").asLong()).isEqualTo(2048);
    assertThat(run.err()).isEqualTo("stowage: note: %s: %s\n".formatted(model, OVERWRITTEN));
  }

  @Test
  void plan_smallRegions_takeSomeConstants() {
    CommandRun run =
        planned("--decompression-memory", "10", "--decompression-memory", "128", "--explain");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .contains("constants decompressed into the head: 2; in 1152 bytes of the application");
  }

  @Test
  void rewrite_memory_leavesConstantsWithoutAnOffset() throws IOException {
    Path copy = folder.resolve("planned.tflite");

    CommandRun run =
        CommandRun.of(
            "rewrite",
            model,
            "--reorder",
            "--force",
            "--decompression-memory",
            "2KiB",
            "--output",
            copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).contains(OVERWRITTEN);
    MicroArena inHead = MicroArenaReader.read(copy, List.of());
    MicroArena outside = MicroArenaReader.read(copy, List.of(2048L));
    assertThat(outside.headBytes(outside.filePlan()))
        .isLessThan(inHead.headBytes(inHead.filePlan()));
    assertThat(inHead.placed(inHead.filePlan().orElseThrow()).tensors())
        .hasSameSizeAs(outside.plannedTensors())
        .hasSize(inHead.plannedTensors().size() - 3);
    assertThat(CommandRun.of("check", copy).err()).contains("3 tensors without an offset");
    assertThat(CommandRun.of("check", copy, "--decompression-memory", "2KiB").err())
        .doesNotContain("without an offset");
  }

  @Test
  void plan_memoryWithoutRuntime_exits2() {
    CommandRun run = CommandRun.of("plan", model, "--decompression-memory", "1KiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --decompression-memory needs --runtime tflm; add it, or omit --decompression-memory\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "rewrite", "check"})
  void memory_noNumber_exits2(String command) {
    CommandRun run =
        CommandRun.of(command, model, "--output", "x.tflite", "--decompression-memory", "much");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }
}
