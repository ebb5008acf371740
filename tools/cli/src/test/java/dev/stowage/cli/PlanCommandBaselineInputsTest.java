package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
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

/** {@code stowage plan --baseline} for all kinds of inputs, and for several inputs. */
class PlanCommandBaselineInputsTest {

  @TempDir private Path folder;
  private BaselineCommand command;

  @BeforeEach
  void writeModel() throws IOException {
    command = BaselineCommand.in(folder);
  }

  @Test
  void enlargedTensorOfATfliteModel_isNamedWithItsOperators() throws IOException {
    Path network = folder.resolve("network.tflite");
    Files.write(network, network(8));
    command.updateGreedy(network);
    Files.write(network, network(16));

    CommandRun run = command.greedy(network);

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
    command.updateGreedy(network, "--dim", "batch=1");

    CommandRun run = command.greedy(network, "--dim", "batch=2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            ": not comparable with the baseline "
                + command.baseline()
                + ": --dim is batch=2 now and was batch=1; use the same options, or record these with --update-baseline\n");
  }

  @Test
  void enlargedTensorOfAnOnnxModel_isNamedWithItsOperators() throws IOException {
    Path network = folder.resolve("network.onnx");
    Files.write(network, BranchesModel.bytes());
    command.updateGreedy(network);
    byte[] enlarged = BranchesModel.bytes();
    enlarge(enlarged);
    Files.write(network, enlarged);

    CommandRun run = command.greedy(network);

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
    Files.writeString(other, BaselineCommand.PROBLEM);
    command.updateGreedy(command.model(), other);
    Path moved = Files.createDirectories(folder.resolve("moved"));
    for (Path file : List.of(command.baseline(), command.model(), other)) {
      Files.move(file, moved.resolve(file.getFileName()));
    }
    BaselineCommand there =
        new BaselineCommand(moved.resolve("memory.json"), moved.resolve("model.json"));

    CommandRun run = there.greedy(moved.resolve("other.json"), moved.resolve("model.json"));

    assertThat(run).extracting(CommandRun::exitCode, CommandRun::err).containsExactly(0, "");
  }

  @Test
  void inputWithoutEntry_exits3AndTheOthersAreCompared() throws IOException {
    command.updateGreedy(command.model());
    Path other = folder.resolve("other.json");
    Files.writeString(other, BaselineCommand.PROBLEM);
    command.replace("3000", "4000");

    CommandRun run = command.greedy(other, command.model());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith(
            "stowage: "
                + other
                + ": the baseline "
                + command.baseline()
                + " has no 'other.json'; --update-baseline adds it\n")
        .contains("larger: 'b'");
  }

  @Test
  void vanishedInputs_areRemovedAndOthersKept() throws IOException {
    Path other = folder.resolve("other.json");
    Path gone = folder.resolve("gone.json");
    Files.writeString(other, BaselineCommand.PROBLEM);
    Files.writeString(gone, BaselineCommand.PROBLEM);
    command.updateGreedy(command.model(), other, gone);
    Files.delete(gone);

    assertThat(command.greedy(command.model()).err())
        .isEqualTo(
            "stowage: note: "
                + command.baseline()
                + ": has inputs that were not compared: gone.json, other.json\n");
    assertThat(command.greedy(command.model(), "--update-baseline").err())
        .isEqualTo(
            "stowage: wrote "
                + command.baseline()
                + "\nstowage: note: "
                + command.baseline()
                + ": inputs that no longer exist are removed: gone.json\n");
    assertThat(Files.readString(command.baseline()))
        .contains("other.json")
        .doesNotContain("gone.json");
  }

  @Test
  void standardInput_hasAnEntryOfItsOwn() {
    String[] words = {
      "plan",
      "-",
      "--input-format",
      "json",
      "--kind",
      "offsets",
      "--baseline",
      command.baseline().toString()
    };

    assertThat(fromStandardInput(BaselineCommand.PROBLEM, words, "--update-baseline")).isZero();
    assertThat(fromStandardInput(BaselineCommand.PROBLEM, words)).isZero();
    assertThat(fromStandardInput(BaselineCommand.PROBLEM.replace("3000", "4000"), words))
        .isEqualTo(ExitCode.WORSE);
  }

  private static int fromStandardInput(String input, String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    Collections.addAll(all, more);
    return new Program(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(new StringWriter()),
            new PrintWriter(new StringWriter()),
            new Interruption())
        .run(all.toArray(String[]::new));
  }

  @Test
  void textures_compareTexels() throws IOException {
    Files.writeString(
        command.model(),
        "{\"records\": [{\"name\": \"t\", \"size\": [4, 5], \"first_task\": 0, \"last_task\": 0}]}");
    command.update(command.model(), "--kind", "objects");
    command.replace("[4, 5]", "[4, 6]");

    CommandRun run = command.plan(command.model(), "--kind", "objects");

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            command.worse("texels is 24, 4 more (+20.0 %), expected at most 20")
                + command.message(
                    "larger: 't', size 24 instead of 20, live from task 0 to task 0"));
  }

  @Test
  void ranges_compareTheArenaForAllShapes() throws IOException {
    Files.writeString(
        command.model(),
        "{\"records\": [{\"name\": \"s\", \"size\": \"100*batch\", \"first_task\": 0, \"last_task\": 0}]}");
    command.update(command.model(), "--dim", "batch=1..8");
    command.replace("100*", "101*");

    CommandRun run = command.plan(command.model(), "--dim", "batch=1..8");

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            command.worse("objects_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + command.worse(
                    "objects_lower_bound_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + command.worse("offsets_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + command.worse(
                    "offsets_lower_bound_bytes is 808, 8 more (+1.0 %), expected at most 800")
                + command.message(
                    "larger: 's', size 808 instead of 800, live from task 0 to task 0"));
  }

  @Test
  void banks_compareTheCost() throws IOException {
    Object[] banks = {
      command.model(), "--bank", "name=fast,bytes=3KiB", "--bank", "name=slow,cost=10"
    };
    command.update(banks);
    assertThat(command.plan(banks).exitCode()).isZero();
    command.replace("2000", "2100");

    CommandRun run = command.plan(banks);

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(": cost is ")
        .endsWith(
            command.message(
                "larger: 'c', size 2,100 instead of 2,000, live from task 2 to task 3"));
  }
}
