package dev.stowage.cli;

import static dev.stowage.cli.MicroPlanRun.planned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void plan_withoutOptimal_saysThatItMayFindASmallerPlan() {
    assertThat(planned(model, "--no-scratch", "--strategy", "NAIVE").out())
        .contains(" = 928. None of these plans saves memory; --strategy OPTIMAL may find one.\n");
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
}
