package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
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

/** {@code stowage plan --baseline}: wrong options, damaged files, and updates that fail. */
class PlanCommandBaselineFailureTest {

  @TempDir private Path folder;
  private BaselineCommand command;

  @BeforeEach
  void writeModel() throws IOException {
    command = BaselineCommand.in(folder);
  }

  @Test
  void otherOptions_areNamed() {
    command.updateGreedy(command.model(), "--capacity", "1MiB");

    assertThat(command.plan(command.model(), "--kind", "offsets", "--alignment", 16, "--io"))
        .extracting(CommandRun::exitCode, CommandRun::err)
        .containsExactly(
            ExitCode.BAD_INPUT,
            command.message(
                "not comparable with the baseline "
                    + command.baseline()
                    + ": --alignment is 16 now and was 1, --capacity is not given now and was 1048576, --io is given now and was not given, --strategy is not given now and was GREEDY_BY_SIZE; use the same options, or record these with --update-baseline"));
  }

  @Test
  void otherFigures_areNotComparable() throws IOException {
    command.update(command.model());
    command.replace("\"size\": 1000,", "\"size\": 1000, \"offset\": 0,");

    assertThat(command.plan(command.model()).err())
        .contains(
            "not comparable with the baseline "
                + command.baseline()
                + ": the figures are offsets_bytes, offsets_lower_bound_bytes now and were objects_bytes, objects_lower_bound_bytes, offsets_bytes, offsets_lower_bound_bytes; use the same options, or record these with --update-baseline\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "{\"baseline_version\": 2}", "\u0000"})
  void damagedBaseline_exits3AndStaysAsItWas(String content) throws IOException {
    Files.writeString(command.baseline(), content);

    for (CommandRun run :
        List.of(
            command.plan(command.model()), command.plan(command.model(), "--update-baseline"))) {
      assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("stowage: " + command.baseline() + ": ").hasLineCount(1);
    }
    assertThat(Files.readString(command.baseline())).isEqualTo(content);
  }

  @Test
  void baselineWithAByteOrderMark_isRead() throws IOException {
    command.updateGreedy(command.model());
    Files.writeString(command.baseline(), "\uFEFF" + Files.readString(command.baseline()));

    assertThat(command.greedy(command.model()))
        .extracting(CommandRun::exitCode, CommandRun::err)
        .containsExactly(ExitCode.DONE, "");
  }

  @Test
  void missingBaseline_exits3WithTheRemedy() {
    assertThat(command.plan(command.model()))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + command.baseline()
                    + ": cannot be read: there is no such file; --update-baseline writes it\n"));
  }

  @Test
  void update_aBadInput_writesNothing() throws IOException {
    command.updateGreedy(command.model());
    String before = Files.readString(command.baseline());
    command.replace("3000", "4000");

    CommandRun run =
        command.greedy(command.model(), folder.resolve("none.json"), "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            "stowage: "
                + command.baseline()
                + ": not updated, because not all inputs have results\n");
    assertThat(Files.readString(command.baseline())).isEqualTo(before);
  }

  @Test
  void update_interrupted_writesNothing() throws IOException {
    CommandRun run =
        CommandRun.interrupted(
            "plan", command.model(), "--baseline", command.baseline(), "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(Files.exists(command.baseline())).isFalse();
  }

  @Test
  void update_folderDoesNotExist_exits1() {
    Path baseline = folder.resolve("none/memory.json");
    BaselineCommand inNone = new BaselineCommand(baseline, command.model());

    assertThat(inNone.greedy(command.model(), "--update-baseline"))
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
  void update_planBeyondTheCapacity_exits4AndWrites() {
    CommandRun run = command.greedy(command.model(), "--capacity", 100, "--update-baseline");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).endsWith("stowage: wrote " + command.baseline() + "\n");
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
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), command.model());

    assertUsage("--update-baseline needs --baseline PATH", command.model(), "--update-baseline");
    assertUsage("--tolerance needs --baseline PATH", command.model(), "--tolerance", "1%");
    assertUsage(
        "--baseline is '-', expected the name of a file", command.model(), "--baseline", "-");
    assertUsage(
        "--baseline is '" + link + "', which is the input; use another name",
        command.model(),
        "--baseline",
        link);
    assertUsage(
        "--baseline is '" + command.baseline() + "', which is written twice; use another name",
        command.model(),
        "--baseline",
        command.baseline(),
        "--output",
        command.baseline());
    assertUsage(
        "'"
            + command.model()
            + "' and '"
            + folder
            + "/./model.json' are one input of --baseline; omit one of them",
        command.model(),
        folder + "/./model.json",
        "--baseline",
        command.baseline());
    assertUsage(
        "Invalid value for option '--tolerance': '-1%' is not a tolerance, expected a percentage such as 1% or bytes such as 64KiB",
        command.model(), "--baseline", command.baseline(), "--tolerance", "-1%");
  }

  @Test
  void optimal_withABaseline_isLimitedByNodes() {
    command.update(command.model(), "--strategy", "OPTIMAL");

    assertThat(command.plan(command.model(), "--strategy", "optimal").exitCode()).isZero();
    assertThat(command.plan(command.model(), "--strategy", "OPTIMAL", "--time-limit", 5).err())
        .contains("--time-limit is PT5S now and was not given");
  }
}
