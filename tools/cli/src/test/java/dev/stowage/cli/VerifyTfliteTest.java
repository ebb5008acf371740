package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage verify} of {@code .tflite} models. */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "needs Linux on x86-64")
class VerifyTfliteTest {

  private static final String MODEL = "examples/tflm/detector.tflite";

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void verify_model_runsInANewPlan() {
    JsonNode json = json(CommandRun.of("verify", MODEL, "--format", "json"));
    assertThat(json.propertyNames()).containsExactly(VerifyCommandTest.FIELDS);
    assertThat(json.path("strategy").asString()).isEqualTo("OPTIMAL");
    assertThat(json.path("planned_bytes").asLong()).isEqualTo(23_040);
    JsonNode output = json.path("outputs").path(1);
    assertThat(output.path("name").asString()).isEqualTo("heat_map");
    assertThat(output.path("shape")).hasToString("[1,24,24,1]");
    assertThat(output.path("type").asString()).isEqualTo("INT8");
    assertThat(output.path("bit_identical").asBoolean()).isTrue();
  }

  @Test
  void verify_rewrittenModel_runsInThePlanOfItsFile(@TempDir Path folder) {
    Path planned = folder.resolve("planned.tflite");
    JsonNode rewritten =
        json(
            CommandRun.of(
                "rewrite",
                MODEL,
                "--no-scratch",
                "--reorder",
                "--alias",
                "--output",
                planned,
                "--format",
                "json"));
    JsonNode json = json(CommandRun.of("verify", planned, "--format", "json"));
    assertThat(json.path("strategy").asString()).isEqualTo("FILE");
    assertThat(json.path("planned_bytes")).isEqualTo(rewritten.path("head_bytes"));
    assertThat(json.path("outputs").path(0).path("bit_identical").asBoolean()).isTrue();
    assertThat(
            json(CommandRun.of("verify", planned, "--strategy", "NAIVE", "--format", "json"))
                .path("strategy")
                .asString())
        .isEqualTo("NAIVE");
  }

  @Test
  void verify_planWhoseLiveTensorsOverlap_exits1(@TempDir Path folder) throws Exception {
    Path planned = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", MODEL, "--no-scratch", "--output", planned);
    byte[] model = Files.readAllBytes(planned);
    // The first words of the plan are 1, the number of subgraphs and the number of tensors.
    int at = 0;
    while (word(model, at) != 1 || word(model, at + 4) != 1 || word(model, at + 8) < 30) {
      at += 4;
    }
    for (int i = 0; i < word(model, at + 8); i++) {
      for (int b = 0; b < 4 && word(model, at + 12 + 4 * i) > 0; b++) {
        model[at + 12 + 4 * i + b] = 0;
      }
    }
    Files.write(planned, model);
    CommandRun run = CommandRun.of("verify", planned);
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: the outputs in planned memory differ from TensorFlow Lite's\n", planned);
    assertThat(run.out())
        .contains("planned in the file")
        .startsWith(
            planned
                + ": 2 outputs differ in planned memory from TensorFlow Lite's, with inputs of seed 1.\n");
  }

  private static int word(byte[] model, int at) {
    return (model[at] & 0xff)
        | (model[at + 1] & 0xff) << 8
        | (model[at + 2] & 0xff) << 16
        | model[at + 3] << 24;
  }

  @Tag("full")
  @Test
  void verify_reorder_comparesBothOrders() {
    CommandRun run = CommandRun.of("verify", MODEL, "--io", "--reorder", "--seed", "7");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("TensorFlow Lite's own arena, reordered")
        .contains("planned in the order of the file        23,616")
        .contains("planned by OPTIMAL, reordered           21,312")
        .startsWith(
            MODEL
                + ": All outputs in planned memory, in both orders, are identical to TensorFlow Lite's, bit for bit, with inputs of seed 7.\n");
  }

  @Test
  void verify_operatorThatTheEngineLacks_exits3InItsWords() {
    Path model = SampleModels.folder("models/tflite").resolve("person_detect_vela.tflite");
    CommandRun run = CommandRun.of("verify", model);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            "person_detect_vela.tflite: TensorFlow Lite rejects it in its own run: Encountered unresolved custom op: ethos-u.; Node number 0 (ethos-u) failed to prepare.\n");
  }

  @Test
  void verify_dimensions_areThoseOfOtherModels() {
    assertThat(CommandRun.of("verify", MODEL, "--dim", "batch=1..2"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: examples/tflm/detector.tflite: the model has no open dimension named batch; .tflite models have no open dimensions; omit --dim\n"));
    assertThat(CommandRun.of("verify", MODEL, "--dim", "batch=1").err())
        .isEqualTo(
            "stowage: note: examples/tflm/detector.tflite: the model has no open dimension named batch; .tflite models have no open dimensions; omit --dim\n");
  }

  @Test
  void verify_timeLimitThatIsOver_exits1AndPrintsNoResult() {
    CommandRun run = CommandRun.of("verify", MODEL, "--time-limit", "0.000001");
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.FAILED,
                "",
                "stowage: examples/tflm/detector.tflite: not verified: stopped in TensorFlow Lite's start; the time limit is 0.000001 s (--time-limit)\n"));
  }
}
