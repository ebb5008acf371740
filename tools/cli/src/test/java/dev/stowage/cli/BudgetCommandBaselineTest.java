package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.pages.text.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage budget --baseline}: growth with its causes, other options, and reports. */
class BudgetCommandBaselineTest {

  private static final Path MICRO = Path.of("examples/tflm/detector.tflite");
  private static final Path CNN = Path.of("examples/tiny_cnn.onnx");

  /** The floats of the input of a model whose tensors have several pages. */
  private static final int COLUMNS = 50_000;

  @TempDir private Path folder;
  private Path baseline;
  private Path model;

  @BeforeEach
  void setPaths() {
    baseline = folder.resolve("memory.json");
    model = folder.resolve("model.onnx");
  }

  private CommandRun budget(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("budget", "--baseline", baseline));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray());
  }

  private void update(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--update-baseline");
    CommandRun run = budget(all.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("stowage: wrote " + baseline + "\n");
  }

  private JsonNode entry(String key) throws IOException {
    return new JsonMapper().readTree(Files.readString(baseline)).get("budget").get(key);
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(property -> property.getKey()).toList();
  }

  @Test
  void unchangedModel_isWithinTheBaseline() throws IOException {
    Files.write(model, BranchesModel.weighted(COLUMNS));
    update(model);

    CommandRun run = budget(model);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).doesNotContain("baseline");
    JsonNode entry = entry("model.onnx");
    assertThat(names(entry.get("figures")))
        .containsExactly("highest_bytes", "loading_bytes", "running_bytes");
    assertThat(names(entry.get("weights"))).containsExactly("w");
    assertThat(entry.get("weights").get("w").asLong()).isEqualTo(8L * COLUMNS);
    assertThat(entry.get("records"))
        .extracting(record -> record.get("name").asString())
        .containsExactly("a", "x", "b", "m", "c", "d", "y");
    long sum = 0;
    for (JsonNode part : entry.get("parts")) {
      sum += part.asLong();
    }
    // Packing counts only while the session is created.
    assertThat(sum - entry.get("parts").get("packing_bytes").asLong())
        .isEqualTo(entry.get("figures").get("running_bytes").asLong());
  }

  @Test
  void enlargedTensor_exits5WithItsPartTensorsAndOperators() throws IOException {
    Files.write(model, BranchesModel.bytes(COLUMNS));
    update(model);
    Files.write(model, BranchesModel.bytes(2 * COLUMNS));

    CommandRun run = budget(model);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .containsPattern(
            ": worse than the baseline .*: highest_bytes is [0-9,]+, [0-9,]+ more \\(\\+[0-9.]+ %\\), expected at most [0-9,]+\n")
        .containsPattern(": part activations_bytes is [0-9,]+, [0-9,]+ more \\(\\+[0-9.]+ %\\)\n")
        .contains(": part inputs_bytes is 400,000, 200,000 more (+100.0 %)\n")
        .contains(
            ": larger: 'a', size 800,000 instead of 400,000, live from Concat 0 to ReduceMax 2\n")
        .doesNotContain("part engine_bytes");
  }

  @Test
  void addedOperator_exits5WithItsWeightAndResult() throws IOException {
    Files.write(model, BranchesModel.bytes(COLUMNS));
    update(model);
    Files.write(model, BranchesModel.weighted(COLUMNS));

    CommandRun run = budget(model);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(": new: weight 'w', size 400,000\n")
        .contains(": new: 'm', size 400,000, live from Mul 2 to ReduceMax 3\n");
  }

  @Test
  void smallerModel_isANote() throws IOException {
    Files.write(model, BranchesModel.bytes(2 * COLUMNS));
    update(model);
    Files.write(model, BranchesModel.bytes(COLUMNS));

    CommandRun run = budget(model);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .containsPattern("better than the baseline: highest_bytes is [0-9,]+ instead of [0-9,]+");
  }

  @Test
  void growthWithinTheTolerance_isAccepted() throws IOException {
    Files.write(model, BranchesModel.bytes(COLUMNS));
    update(model);
    Files.write(model, BranchesModel.bytes(COLUMNS + 5_000));

    assertThat(budget(model).exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(budget(model, "--tolerance", "1MiB").exitCode()).isZero();
    assertThat(budget(model, "--tolerance", "0.001%").exitCode()).isEqualTo(ExitCode.WORSE);
  }

  @Test
  void range_hasFiguresOfEachShapeAndNamesTheLargestGrowth() throws IOException {
    Path small = folder.resolve("cnn.onnx");
    Files.copy(CNN, small);
    update(small, "--dim", "batch=1..4");
    String text = Files.readString(baseline);
    assertThat(names(entry("cnn.onnx").get("figures")))
        .hasSize(9)
        .contains("batch=1 highest_bytes", "batch=4 running_bytes", "loading_bytes");
    long four = entry("cnn.onnx").get("figures").get("batch=4 highest_bytes").asLong();

    // A baseline that is smaller at each shape, most of all at the largest one.
    Files.writeString(
        baseline,
        text.replaceAll("(batch=\\d [a-z]+_bytes\": )(\\d+)", "$1" + 30_000_000)
            .replaceAll("(\"batch=4 activations_bytes\": )\\d+", "$10"));
    CommandRun run = budget(small, "--dim", "batch=1..4");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.WORSE);
    List<String> lines = run.err().lines().filter(line -> line.contains("cnn.onnx: ")).toList();
    assertThat(lines).hasSize(8);
    assertThat(lines.getFirst())
        .contains(
            "batch=4 highest_bytes is %s, %s more"
                .formatted(Numbers.grouped(four), Numbers.grouped(four - 30_000_000)));
    assertThat(lines.get(6)).endsWith(": 2 more figures grew by fewer bytes");
    assertThat(lines.get(7)).contains(": part batch=4 activations_bytes is ");
  }

  @Test
  void dimensionWithOneSize_hasFiguresWithoutAShape() throws IOException {
    Path small = folder.resolve("cnn.onnx");
    Files.copy(CNN, small);
    update(small, "--dim", "batch=2");

    assertThat(names(entry("cnn.onnx").get("figures")))
        .containsExactly("highest_bytes", "loading_bytes", "running_bytes");
  }

  @Test
  void otherOptions_areNotComparable() {
    update(CNN, "--dim", "batch=1..4");

    CommandRun run =
        budget(
            CNN, "--dim", "batch=1,8", "--sessions", "4", "--threads", "2", "--jvm-heap", "64MiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            ": --dim is batch=1,8 now and was batch=1,2,3,4, --jvm-heap is 67108864 now and was not given, --sessions is 4 now and was 1, --threads is 2 now and was 1; use the same options, or record these with --update-baseline\n");
  }

  @Test
  void otherConstants_areNotComparable() throws IOException {
    update(CNN, "--dim", "batch=1", MICRO);
    Files.writeString(
        baseline,
        Files.readString(baseline).replaceAll("ONNX Runtime [^\"]* on [^\"]*", "ONNX Runtime 1"));

    CommandRun run = budget(CNN, "--dim", "batch=1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .containsPattern(
            "constants is ONNX Runtime [0-9.]+ on .*, checksum [0-9a-f]{8} now and was ONNX Runtime 1; use the same options");
  }

  @Test
  void models_ofTensorFlowLiteMicro_haveTheTensorsOfTheArena() throws IOException {
    Path micro = folder.resolve("detector.tflite");
    Files.copy(MICRO, micro);
    update(micro);

    JsonNode entry = entry("detector.tflite");
    assertThat(names(entry.get("options"))).containsExactly("--sessions", "--threads");
    assertThat(names(entry.get("parts")))
        .containsExactly(
            "arena_head_bytes", "arena_tail_bytes", "arena_to_start_bytes", "model_file_bytes");
    assertThat(entry.get("records")).isNotEmpty();
    assertThat(budget(micro)).extracting(CommandRun::exitCode, CommandRun::err).contains(0, "");
  }

  @Test
  void vanishedModel_isANoteAndRemovedByAnUpdate() throws IOException {
    Path micro = folder.resolve("detector.tflite");
    Path other = folder.resolve("other.tflite");
    Files.copy(MICRO, micro);
    Files.copy(MICRO, other);
    update(micro, other);

    assertThat(budget(micro).err()).contains("has inputs that were not compared: other.tflite\n");
    Files.delete(other);
    assertThat(budget(micro).err())
        .contains("has inputs that no longer exist, which --update-baseline removes: other.tflite");
    update(micro);
    assertThat(Files.readString(baseline)).doesNotContain("other.tflite");
  }

  @Test
  void plans_ofTheSameFile_stay() throws IOException {
    Path micro = folder.resolve("detector.tflite");
    Files.copy(MICRO, micro);
    CommandRun.of(
        "plan", micro, "--strategy", "NAIVE", "--baseline", baseline, "--update-baseline");
    update(micro);

    assertThat(names(new JsonMapper().readTree(Files.readString(baseline))))
        .containsExactly("baseline_version", "budget", "plan");
  }

  @Test
  void report_ofGrowth_isAFailure() throws IOException {
    Path micro = folder.resolve("detector.tflite");
    Files.copy(MICRO, micro);
    update(micro);
    Files.writeString(
        baseline, Files.readString(baseline).replaceAll("(highest_bytes\": )\\d+", "$11"));
    Path xml = folder.resolve("memory.xml");

    CommandRun run = budget(micro, "--report", "junit=" + xml);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(Files.readString(xml))
        .contains("name=\"stowage budget\"")
        .contains("tests=\"1\"", "<failure message=")
        .contains("highest_bytes is 55,424, 55,423 more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{}", "{\"baseline_version\": 1, \"budget\": {\"x\": {\"parts\": 1}}}"})
  void damagedBaseline_exits3AndStaysAsItWas(String content) throws IOException {
    Files.writeString(baseline, content);

    CommandRun run = budget(MICRO);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("stowage: " + baseline + ": ").hasLineCount(1);
    assertThat(Files.readString(baseline)).isEqualTo(content);
  }
}
