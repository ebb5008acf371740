package dev.stowage.cli;

import static dev.stowage.cli.MicroPlanRun.json;
import static dev.stowage.cli.MicroPlanRun.planned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The size of TensorFlow Lite Micro's arena, and the command that makes it smaller. */
class PlanArenaSizeTest {

  @TempDir Path folder;
  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model = MicroPlanRun.writeModel(folder);
  }

  /** {@return the text on a terminal} */
  private static String shown(Object file, Object... options) {
    return ShownRun.of(
            Stream.concat(Stream.of("plan", file, "--runtime", "tflm"), Stream.of(options))
                .toArray())
        .text();
  }

  @Test
  void plan_smallerPlan_namesTheCommandThatWritesIt() throws IOException {
    Path detector = SampleModels.examples().resolve("tflm/detector.tflite");
    Path scratch = SampleModels.examples().resolve("tflm/scratch.csv");
    assertThat(
            shown(detector, "--scratch", scratch, "--reorder", "--alias", "--strategy", "OPTIMAL"))
        .contains(
            detector
                + ": TensorFlow Lite Micro needs kTensorArenaSize = 32800 (32.031 KiB); with a plan in"
                + " the file, 24736 are enough, 8,064 bytes less.\n")
        .contains("\nProved: no plan is smaller. The size of the arena is an estimate.\n")
        .endsWith(
            "\nNext: ./stowage rewrite "
                + ShellLine.word(detector.toString())
                + " --scratch "
                + ShellLine.word(scratch.toString())
                + " --reorder --alias --output planned.tflite\n");
  }

  @Test
  void plan_arenaUsed_correctsTheTail() {
    CommandRun run = planned(model, "--no-scratch", "--arena-used", "2000", "--format", "json");
    JsonNode figures = json(run).get("tflm");
    assertThat(figures.get("estimate").asBoolean()).isFalse();
    assertThat(figures.get("arena").get("tail_bytes").asLong()).isEqualTo(2000 - 384);
    assertThat(figures.get("arena").get("bytes").asLong()).isEqualTo(2000);
  }

  /** The tail is measured in the order of the file, and has the same data in other orders. */
  @Test
  void plan_arenaUsedWithReorder_correctsTheTailOfEachOrder() {
    Path detector = SampleModels.examples().resolve("tflm/detector.tflite");
    Path scratch = SampleModels.examples().resolve("tflm/scratch.csv");
    Object[] options = {
      "--scratch", scratch, "--reorder", "--strategy", "OPTIMAL", "--format", "json"
    };
    JsonNode computed = json(planned(detector, options)).get("tflm");
    long moreBytes = 208;
    long usedBytes =
        computed.at("/arena/head_bytes").longValue()
            + computed.at("/arena/tail_bytes").longValue()
            + moreBytes;
    Object[] measuring = Arrays.copyOf(options, options.length + 2);
    measuring[options.length] = "--arena-used";
    measuring[options.length + 1] = usedBytes;

    JsonNode measured = json(planned(detector, measuring)).get("tflm");

    for (String arena : List.of("arena", "best_arena")) {
      for (String part : List.of("bytes", "tail_bytes")) {
        assertThat(measured.get(arena).get(part).longValue())
            .as(arena + " " + part)
            .isEqualTo(computed.get(arena).get(part).longValue() + moreBytes);
      }
      assertThat(measured.get(arena).get("head_bytes"))
          .isEqualTo(computed.get(arena).get("head_bytes"));
    }
    assertThat(measured.at("/best_arena/head_bytes").longValue())
        .isLessThan(measured.at("/arena/head_bytes").longValue());
  }

  @Test
  void plan_arenaUsedAboveTheLargestArena_exits2() {
    CommandRun run = planned(model, "--arena-used", "9223372036854775807");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --arena-used is 9223372036854775807, expected at most 2147483647 bytes, the largest arena of TensorFlow Lite Micro\n");
    assertThat(planned(model, "--arena-used", "2147483647").out())
        .contains("kTensorArenaSize = 2147483744");
  }

  @Test
  void plan_withoutOptimal_saysThatItMayFindASmallerPlan() {
    assertThat(planned(model, "--no-scratch", "--strategy", "NAIVE").out())
        .contains(" = 928. None of these plans saves memory.\n");
  }

  @Test
  void plan_interruptedOrTooLarge_hasNoSentenceOnPlans() throws IOException {
    assertThat(CommandRun.interrupted("plan", model, "--runtime", "tflm").out())
        .doesNotContain("saves", "None of these");
    TfliteGraphBuilder large = TfliteGraphBuilder.named("large");
    large.output(large.reshape("result", large.input("input", 1, 400_000_000), 400_000_000, 1));
    large.writeTo(model);
    assertThat(planned(model, "--no-scratch").out())
        .contains("kTensorArenaSize = 3200000")
        .doesNotContain("saves", "None of these");
  }

  @ParameterizedTest
  @CsvSource({"11, --time-limit 11 --output", "10, --time-limit 10 --output"})
  void plan_longSearch_isThatOfTheCommand(String seconds, String words) throws IOException {
    Path detector =
        Files.copy(
            SampleModels.examples().resolve("tflm/detector.tflite"),
            folder.resolve("my detector.tflite"));
    assertThat(shown(detector, "--no-scratch", "--time-limit", seconds))
        .contains("Next: ./stowage rewrite '" + detector + "' --no-scratch ")
        .contains(words);
  }

  @Test
  void plan_arenaUsedBelowTheHead_exits3() {
    CommandRun run = planned(model, "--no-scratch", "--arena-used", "300");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .contains(
            "--arena-used is 300, expected more than the head of the arena, 384 bytes; measure it with this model, and with the kernels of --scratch");
  }

  @Test
  void plan_arenaUsedWithoutRuntimeOrOfSeveralFiles_exits2() {
    assertThat(CommandRun.of("plan", model, "--arena-used", "300").err())
        .contains("--arena-used needs --runtime tflm; add it, or omit --arena-used");
    assertThat(
            CommandRun.of("plan", model, model, "--runtime", "tflm", "--arena-used", "300").err())
        .contains("--arena-used is of one FILE, but there are 2");
  }
}
