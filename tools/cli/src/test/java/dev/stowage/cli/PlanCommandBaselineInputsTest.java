package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
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
        .contains("offsets_bytes is 6,000, 1,000 more");
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
                + command.message("stowage diff OLD NEW names the tensors that grew"));
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
                + command.message("stowage diff OLD NEW names the tensors that grew"));
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
    assertThat(run.err()).contains(": cost is ");
  }
}
