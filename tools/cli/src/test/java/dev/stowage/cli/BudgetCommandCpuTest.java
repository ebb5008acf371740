package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.CpuDetection;
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

/** {@code stowage budget --cpu}: the class of the processor that will run the service. */
class BudgetCommandCpuTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";

  @TempDir private Path folder;

  private static JsonNode json(Object... options) {
    List<Object> arguments =
        new ArrayList<>(List.of("budget", MODEL, "--dim", "batch=16", "--format", "json"));
    arguments.addAll(List.of(options));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new JsonMapper().readTree(run.out());
  }

  private static JsonNode part(JsonNode budget, String name) {
    for (JsonNode part : budget.get("parts")) {
      if (part.get("name").asString().equals(name)) {
        return part;
      }
    }
    throw new AssertionError("no part " + name);
  }

  /** Blocks of 16 channels need more than twice the bytes of blocks of 8. */
  @ParameterizedTest
  @CsvSource({
    "baseline, false, exact",
    "avx2, false, exact",
    "avx512, true, estimate",
    "avx512-vnni, true, exact",
    "amx, true, estimate"
  })
  void budget_class_hasItsBlocks(String cpu, boolean isWide, String confidence) {
    JsonNode budget = json("--cpu", cpu);
    assertThat(budget.get("cpu").asString()).isEqualTo(cpu);
    assertThat(budget.get("engine").asString()).isEqualTo("ONNX Runtime 1.29.0");
    assertThat(part(budget, "engine").get("confidence").asString()).isEqualTo("estimate");
    JsonNode activations = part(budget, "activations");
    assertThat(activations.get("confidence").asString()).isEqualTo(confidence);
    assertThat(activations.get("bytes").asLong()).isEqualTo(isWide ? 5_242_240 : 1_048_576);
  }

  @Test
  void budget_anyProcessor_isTheLargestOfEachPart() {
    JsonNode any = json("--cpu", "any");
    for (CpuClass cpu : CpuClass.x86()) {
      for (JsonNode part : json("--cpu", cpu).get("parts")) {
        assertThat(part(any, part.get("name").asString()).get("bytes").asLong())
            .as("%s on %s", part.get("name"), cpu)
            .isGreaterThanOrEqualTo(part.get("bytes").asLong());
      }
    }
    assertThat(any.get("evidence").toString())
        .contains("the rules for avx512, amx follow from the source code of ONNX Runtime");
  }

  @Test
  void budget_withoutOption_isThatOfThisMachine() {
    assertThat(json().get("cpu").asString()).isEqualTo(CpuDetection.thisMachine().toString());
    CommandRun run = CommandRun.of("budget", MODEL, "--dim", "batch=1");
    assertThat(run.out())
        .contains(
            "\nAt batch=1: 1 session, 1 thread each, cpu "
                + CpuDetection.thisMachine()
                + " (this machine)\n");
  }

  @Test
  void baseline_withoutOption_isComparedInItsClass() throws IOException {
    Path baseline = folder.resolve("memory.json");
    String other = CpuDetection.thisMachine() == CpuClass.AVX2 ? "avx512-vnni" : "avx2";
    List<Object> compare =
        List.of("budget", MODEL, "--dim", "batch=16", "--baseline", baseline, "--format", "k8s");
    List<Object> update = new ArrayList<>(compare);
    update.addAll(List.of("--cpu", other, "--update-baseline"));
    CommandRun written = CommandRun.of(update.toArray());
    assertThat(written.exitCode()).as(written.err()).isZero();
    assertThat(Files.readString(baseline)).contains("\"--cpu\": \"" + other + "\"");

    CommandRun compared = CommandRun.of(compare.toArray());

    assertThat(compared.exitCode()).as(compared.err()).isZero();
    assertThat(compared.out()).isEqualTo(written.out()).contains(", cpu=" + other + ",");
    List<Object> elsewhere = new ArrayList<>(compare);
    elsewhere.addAll(List.of("--cpu", "baseline"));
    CommandRun refused = CommandRun.of(elsewhere.toArray());
    assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.err()).contains("--cpu");
  }

  @Test
  void constants_ofAnotherClass_haveNoWorkspaces() throws IOException {
    CpuClass other = CpuDetection.thisMachine() == CpuClass.AVX2 ? CpuClass.AMX : CpuClass.AVX2;
    Path constants = folder.resolve("constants.json");
    Files.writeString(
        constants,
        """
        {"machine": "m", "engine_version": "1.29.0", "engine_bytes": 1, "first_session_bytes": 1,
         "session_bytes": 1, "operator_bytes": 1, "thread_bytes": 1, "remainder_bytes": 1,
         "remainder_share": 0, "run_share": 0, "jvm_bytes": 1, "cpu": "%s",
         "workspaces": [{"operator": "Gemm() threads=1", "types": "", "tensor_bytes": 1,
           "buffer_bytes": [1]}]}
        """
            .formatted(other));
    String note =
        "note: "
            + MODEL
            + ": the workspaces of the constants were measured on "
            + other
            + " and are not used for "
            + CpuDetection.thisMachine();
    assertThat(CommandRun.of("budget", MODEL, "--dim", "batch=1", "--constants", constants).err())
        .contains(note);
    assertThat(
            CommandRun.of(
                    "budget", MODEL, "--dim", "batch=1", "--constants", constants, "--cpu", other)
                .err())
        .doesNotContain("the workspaces");
  }

  @Test
  void budget_unknownClass_exits2() {
    CommandRun run = CommandRun.of("budget", MODEL, "--cpu", "avx3");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "'avx3' is not a class of processors, expected baseline, avx2, avx512, avx512-vnni, amx, arm64 or any");
  }

  @Test
  void measure_anotherClass_exits2() {
    String other = CpuDetection.thisMachine() == CpuClass.AVX2 ? "amx" : "avx2";
    CommandRun run = CommandRun.of("budget", MODEL, "--measure", "--cpu", other);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "--measure runs the model on this machine, whose processor is of the class "
                + CpuDetection.thisMachine()
                + ", expected no --cpu "
                + other);
  }
}
