package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.tflite.Activation;
import dev.stowage.tflite.GraphTensor;
import dev.stowage.tflite.TfliteGraphBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stowage plan --baseline}. */
class PlanCommandBaselineTest {

  private static final String PROBLEM =
      """
      {"records": [
        {"name": "a", "size": 1000, "first_task": 0, "last_task": 1},
        {"name": "b", "size": 3000, "first_task": 1, "last_task": 2},
        {"name": "c", "size": 2000, "first_task": 2, "last_task": 3}]}
      """;

  private static final List<String> GREEDY =
      List.of("--kind", "offsets", "--strategy", "GREEDY_BY_SIZE");

  @TempDir private Path folder;
  private Path baseline;
  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    baseline = folder.resolve("memory.json");
    model = folder.resolve("model.json");
    Files.writeString(model, PROBLEM);
  }

  private CommandRun plan(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("plan", "--baseline", baseline));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray());
  }

  private CommandRun greedy(Object... arguments) {
    List<Object> all = new ArrayList<>(GREEDY);
    Collections.addAll(all, arguments);
    return plan(all.toArray());
  }

  private void update(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--update-baseline");
    CommandRun run = plan(all.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("stowage: wrote " + baseline + "\n");
  }

  private void updateGreedy(Object... arguments) {
    List<Object> all = new ArrayList<>(GREEDY);
    Collections.addAll(all, arguments);
    update(all.toArray());
  }

  private void replace(String old, String changed) throws IOException {
    String text = Files.readString(model);
    assertThat(text).contains(old);
    Files.writeString(model, text.replace(old, changed));
  }

  private String message(String sentence) {
    return "stowage: " + model + ": " + sentence + "\n";
  }

  private String worse(String sentence) {
    return message("worse than the baseline " + baseline + ": " + sentence);
  }

  @Test
  void unchanged_exitsWithZeroWithoutMessages() {
    update(model);

    CommandRun run = plan(model);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void enlargedTensor_exits5AndNamesIt() throws IOException {
    updateGreedy(model);
    replace("3000", "4000");

    CommandRun run = greedy(model);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            worse("offsets_bytes is 6,000, 1,000 more (+20.0 %), expected at most 5,000")
                + worse(
                    "offsets_lower_bound_bytes is 6,000, 1,000 more (+20.0 %), expected at most 5,000")
                + message("larger: 'b', size 4,000 instead of 3,000, live from task 1 to task 2"));
  }

  @Test
  void enlargedTensorBelowThePeak_exitsWithZero() throws IOException {
    updateGreedy(model);
    replace("1000", "1500");

    assertThat(greedy(model)).extracting(CommandRun::exitCode).isEqualTo(ExitCode.DONE);
  }

  @Test
  void longerAndNewTensors_areNamed() throws IOException {
    updateGreedy(model);
    replace("\"first_task\": 0, \"last_task\": 1}", "\"first_task\": 0, \"last_task\": 2}");
    replace("]}", ", {\"name\": \"d\", \"size\": 7, \"first_task\": 2, \"last_task\": 2}]}");

    CommandRun run = greedy(model);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .endsWith(
            message(
                    "live longer: 'a', size 1,000, live from task 0 to task 2, 1 task longer than before")
                + message("new: 'd', size 7, live from task 2 to task 2"));
  }

  @Test
  void renamedTensors_areNoGrowth() throws IOException {
    updateGreedy(model);
    replace("\"a\"", "\"a2\"");
    replace("\"b\"", "\"b2\"");
    replace("2000", "2001");

    assertThat(greedy(model).err())
        .endsWith(message("larger: 'c', size 2,001 instead of 2,000, live from task 2 to task 3"))
        .doesNotContain("b2");
  }

  @Test
  void smallerTensor_isANote() throws IOException {
    updateGreedy(model);
    replace("3000", "2000");

    CommandRun run = greedy(model);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + model
                + ": better than the baseline: offsets_bytes is 4,000 instead of 5,000, offsets_lower_bound_bytes is 4,000 instead of 5,000; --update-baseline records it\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2%", "2", "2.0 %", "100B", "1KiB"})
  void growthWithinTheTolerance_exitsWithZero(String tolerance) throws IOException {
    updateGreedy(model);
    replace("3000", "3100");

    assertThat(greedy(model, "--tolerance", tolerance).exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.99%", "1.99", "99B", "0"})
  void growthAboveTheTolerance_exits5(String tolerance) throws IOException {
    updateGreedy(model);
    replace("3000", "3100");

    assertThat(greedy(model, "--tolerance", tolerance).exitCode()).isEqualTo(ExitCode.WORSE);
  }

  @Test
  void growthAboveTheTolerance_saysTheBound() throws IOException {
    updateGreedy(model);
    replace("3000", "3100");

    assertThat(greedy(model, "--tolerance", "1%").err())
        .contains(
            "offsets_bytes is 5,100, 100 more (+2.0 %), expected at most 5,050: 5,000 and a tolerance of 1%\n");
  }

  @Test
  void enlargedTensorOfATfliteModel_isNamedWithItsOperators() throws IOException {
    Path network = folder.resolve("network.tflite");
    Files.write(network, network(8));
    updateGreedy(network);
    Files.write(network, network(16));

    CommandRun run = greedy(network);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(
            ": larger: 'wide', size 64 instead of 32, live from FULLY_CONNECTED 0 to SOFTMAX 1\n");
  }

  private static byte[] network(int width) {
    TfliteGraphBuilder builder = TfliteGraphBuilder.named("network");
    GraphTensor wide =
        builder.fullyConnected("wide", builder.input("x", 1, 4), width, Activation.NONE);
    builder.output(builder.softmax("y", builder.softmax("z", wide)));
    return builder.toBytes();
  }

  @Test
  void largerDimensionOfAnOnnxModel_isNotComparable() throws IOException {
    Path network = folder.resolve("network.onnx");
    Files.copy(Path.of("examples/tiny_cnn.onnx"), network);
    updateGreedy(network, "--dim", "batch=1");

    CommandRun run = greedy(network, "--dim", "batch=2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            ": not comparable with the baseline "
                + baseline
                + ": --dim is batch=2 now and was batch=1; use the same options, or record these with --update-baseline\n");
  }

  @Test
  void enlargedTensorOfAnOnnxModel_isNamedWithItsOperators() throws IOException {
    Path network = folder.resolve("network.onnx");
    Files.write(network, BranchesModel.bytes());
    updateGreedy(network);
    byte[] enlarged = BranchesModel.bytes();
    enlarge(enlarged);
    Files.write(network, enlarged);

    CommandRun run = greedy(network);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(": larger: 'a', size 1,040 instead of 800, live from Concat 0 to ReduceMax 2\n");
  }

  /**
   * Sets the columns of the input and of the tensors a and b to 130 and 260 instead of 100, 200.
   */
  private static void enlarge(byte[] model) {
    for (int i = 0; i + 2 < model.length; i++) {
      boolean isColumns = model[i] == 0x0A && model[i + 2] == 0x08;
      if (isColumns && model[i + 1] == 3 && model[i + 3] == (byte) 0xC8 && model[i + 4] == 1) {
        model[i + 3] = (byte) 0x84; // 260 instead of 200
        model[i + 4] = 2;
      }
    }
  }

  @Test
  void reorderedInputsInAMovedFolder_exitWithZero() throws IOException {
    Path other = folder.resolve("other.json");
    Files.writeString(other, PROBLEM);
    updateGreedy(model, other);
    Path moved = Files.createDirectories(folder.resolve("moved"));
    for (Path file : List.of(baseline, model, other)) {
      Files.move(file, moved.resolve(file.getFileName()));
    }
    baseline = moved.resolve("memory.json");

    CommandRun run = greedy(moved.resolve("other.json"), moved.resolve("model.json"));

    assertThat(run).extracting(CommandRun::exitCode, CommandRun::err).containsExactly(0, "");
  }

  @Test
  void inputWithoutEntry_exits3AndTheOthersAreCompared() throws IOException {
    updateGreedy(model);
    Path other = folder.resolve("other.json");
    Files.writeString(other, PROBLEM);
    replace("3000", "4000");

    CommandRun run = greedy(other, model);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith(
            "stowage: "
                + other
                + ": the baseline "
                + baseline
                + " has no 'other.json'; --update-baseline adds it\n")
        .contains("larger: 'b'");
  }

  @Test
  void vanishedInputs_areRemovedAndOthersKept() throws IOException {
    Path other = folder.resolve("other.json");
    Path gone = folder.resolve("gone.json");
    Files.writeString(other, PROBLEM);
    Files.writeString(gone, PROBLEM);
    updateGreedy(model, other, gone);
    Files.delete(gone);

    assertThat(greedy(model).err())
        .isEqualTo(
            "stowage: note: "
                + baseline
                + ": has inputs that no longer exist, which --update-baseline removes: gone.json\n"
                + "stowage: note: "
                + baseline
                + ": has inputs that were not compared: other.json\n");
    assertThat(greedy(model, "--update-baseline").err())
        .isEqualTo(
            "stowage: wrote "
                + baseline
                + "\nstowage: note: "
                + baseline
                + ": inputs that no longer exist are removed: gone.json\n");
    assertThat(Files.readString(baseline)).contains("other.json").doesNotContain("gone.json");
  }

  @Test
  void otherOptions_areNamed() {
    updateGreedy(model, "--capacity", "1MiB");

    assertThat(plan(model, "--kind", "offsets", "--alignment", 16, "--io"))
        .extracting(CommandRun::exitCode, CommandRun::err)
        .containsExactly(
            ExitCode.BAD_INPUT,
            message(
                "not comparable with the baseline "
                    + baseline
                    + ": --alignment is 16 now and was 1, --capacity is not given now and was 1048576, --io is given now and was not given, --strategy is not given now and was GREEDY_BY_SIZE; use the same options, or record these with --update-baseline"));
  }

  @Test
  void otherFigures_areNotComparable() throws IOException {
    update(model);
    replace("\"size\": 1000,", "\"size\": 1000, \"offset\": 0,");

    assertThat(plan(model).err())
        .contains(
            "not comparable with the baseline "
                + baseline
                + ": the input has the figures offsets_bytes, offsets_lower_bound_bytes now and had objects_bytes, objects_lower_bound_bytes, offsets_bytes, offsets_lower_bound_bytes; record these with --update-baseline\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "{\"baseline_version\": 2}", "\u0000"})
  void damagedBaseline_exits3AndStaysAsItWas(String content) throws IOException {
    Files.writeString(baseline, content);

    for (CommandRun run : List.of(plan(model), plan(model, "--update-baseline"))) {
      assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("stowage: " + baseline + ": ").hasLineCount(1);
    }
    assertThat(Files.readString(baseline)).isEqualTo(content);
  }

  @Test
  void missingBaseline_exits3WithTheRemedy() {
    assertThat(plan(model))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + baseline
                    + ": cannot be read: there is no such file; --update-baseline writes it\n"));
  }

  @Test
  void update_aBadInput_writesNothing() throws IOException {
    updateGreedy(model);
    String before = Files.readString(baseline);
    replace("3000", "4000");

    CommandRun run = greedy(model, folder.resolve("none.json"), "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith("stowage: " + baseline + ": not updated, because not all inputs have results\n");
    assertThat(Files.readString(baseline)).isEqualTo(before);
  }

  @Test
  void update_interrupted_writesNothing() throws IOException {
    CommandRun run =
        CommandRun.interrupted("plan", model, "--baseline", baseline, "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(Files.exists(baseline)).isFalse();
  }

  @Test
  void update_folderDoesNotExist_exits1() {
    baseline = folder.resolve("none/memory.json");

    assertThat(greedy(model, "--update-baseline"))
        .extracting(CommandRun::exitCode, CommandRun::err)
        .containsExactly(
            ExitCode.FAILED,
            "stowage: "
                + baseline
                + ": cannot be written: the folder "
                + folder.resolve("none")
                + " does not exist; create it first\n");
  }

  @Test
  void standardInput_hasAnEntryOfItsOwn() {
    String[] command = {
      "plan", "-", "--input-format", "json", "--kind", "offsets", "--baseline", baseline.toString()
    };

    assertThat(fromStandardInput(PROBLEM, command, "--update-baseline")).isZero();
    assertThat(fromStandardInput(PROBLEM, command)).isZero();
    assertThat(fromStandardInput(PROBLEM.replace("3000", "4000"), command))
        .isEqualTo(ExitCode.WORSE);
  }

  private static int fromStandardInput(String input, String[] command, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    Collections.addAll(all, more);
    return Stowage.run(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintWriter(new StringWriter()),
        new PrintWriter(new StringWriter()),
        new Interruption(),
        all.toArray(String[]::new));
  }

  @Test
  void textures_compareTexels() throws IOException {
    Files.writeString(
        model,
        "{\"records\": [{\"name\": \"t\", \"size\": [4, 5], \"first_task\": 0, \"last_task\": 0}]}");
    update(model, "--kind", "objects");
    replace("[4, 5]", "[4, 6]");

    CommandRun run = plan(model, "--kind", "objects");

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            worse("texels is 24, 4 more (+20.0 %), expected at most 20")
                + message("larger: 't', size 24 instead of 20, live from task 0 to task 0"));
  }

  @Test
  void ranges_compareTheArenaForAllShapes() throws IOException {
    Files.writeString(
        model,
        "{\"records\": [{\"name\": \"s\", \"size\": \"100*batch\", \"first_task\": 0, \"last_task\": 0}]}");
    update(model, "--dim", "batch=1..8");
    replace("100*", "101*");

    CommandRun run = plan(model, "--dim", "batch=1..8");

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            worse("arena_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + worse(
                    "largest_shape_lower_bound_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + message("larger: 's', size 808 instead of 800, live from task 0 to task 0"));
  }

  @Test
  void banks_compareTheCost() throws IOException {
    Object[] banks = {model, "--bank", "name=fast,bytes=3KiB", "--bank", "name=slow,cost=10"};
    update(banks);
    assertThat(plan(banks).exitCode()).isZero();
    replace("2000", "2100");

    CommandRun run = plan(banks);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(": cost is ")
        .endsWith(message("larger: 'c', size 2,100 instead of 2,000, live from task 2 to task 3"));
  }

  @Test
  void update_planBeyondTheCapacity_exits4AndWrites() {
    CommandRun run = greedy(model, "--capacity", 100, "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).endsWith("stowage: wrote " + baseline + "\n");
  }

  private void assertUsage(String message, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("plan"));
    Collections.addAll(all, arguments);

    assertThat(CommandRun.of(all.toArray()))
        .isEqualTo(
            new CommandRun(
                ExitCode.USAGE, "", "stowage: " + message + "\nTry 'stowage plan --help'.\n"));
  }

  @Test
  void wrongOptions_exit2() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), model);

    assertUsage("--update-baseline needs --baseline PATH", model, "--update-baseline");
    assertUsage("--tolerance needs --baseline PATH", model, "--tolerance", "1%");
    assertUsage("--baseline is '-', expected the path of a file", model, "--baseline", "-");
    assertUsage(
        "--baseline is '" + link + "', which is an input; use another name",
        model,
        "--baseline",
        link);
    assertUsage(
        "--baseline is '" + baseline + "', which --output writes, too; use another name",
        model,
        "--baseline",
        baseline,
        "--output",
        baseline);
    assertUsage(
        "'"
            + model
            + "' and '"
            + folder
            + "/./model.json' are one input of --baseline; omit one of them",
        model,
        folder + "/./model.json",
        "--baseline",
        baseline);
    assertUsage(
        "Invalid value for option '--tolerance': '-1%' is not a tolerance, expected a percentage such as 1% or bytes such as 64KiB",
        model, "--baseline", baseline, "--tolerance", "-1%");
  }

  @Test
  void optimal_withABaseline_isLimitedByNodes() {
    update(model, "--strategy", "OPTIMAL");

    assertThat(plan(model, "--strategy", "optimal").exitCode()).isZero();
    assertThat(plan(model, "--strategy", "OPTIMAL", "--time-limit", 5).err())
        .contains("--time-limit is PT5S now and was not given");
  }
}
