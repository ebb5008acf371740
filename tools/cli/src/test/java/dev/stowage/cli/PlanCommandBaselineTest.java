package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stowage plan --baseline}: growth of figures. */
class PlanCommandBaselineTest {

  @TempDir private Path folder;
  private BaselineCommand command;

  @BeforeEach
  void writeModel() throws IOException {
    command = BaselineCommand.in(folder);
  }

  @Test
  void unchanged_exitsWithZeroWithoutMessages() {
    command.update(command.model());

    CommandRun run = command.plan(command.model());

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void enlargedTensor_exits5AndNamesTheFigures() throws IOException {
    command.updateGreedy(command.model());
    command.replace("3000", "4000");

    CommandRun run = command.greedy(command.model());

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .isEqualTo(
            command.worse("offsets_bytes is 6,000, 1,000 more (+20.0 %), expected at most 5,000")
                + command.worse(
                    "offsets_lower_bound_bytes is 6,000, 1,000 more (+20.0 %), expected at most 5,000")
                + command.message("stowage diff OLD NEW names the tensors that grew"));
  }

  @Test
  void enlargedTensorBelowThePeak_exitsWithZero() throws IOException {
    command.updateGreedy(command.model());
    command.replace("1000", "1500");

    assertThat(command.greedy(command.model()))
        .extracting(CommandRun::exitCode)
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void smallerTensor_isANote() throws IOException {
    command.updateGreedy(command.model());
    command.replace("3000", "2000");

    CommandRun run = command.greedy(command.model());

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + command.model()
                + ": better than the baseline: offsets_bytes is 4,000 instead of 5,000, offsets_lower_bound_bytes is 4,000 instead of 5,000; --update-baseline records it\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2%", "2", "2.0 %", "100B", "1KiB"})
  void growthWithinTheTolerance_exitsWithZero(String tolerance) throws IOException {
    command.updateGreedy(command.model());
    command.replace("3000", "3100");

    assertThat(command.greedy(command.model(), "--tolerance", tolerance).exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.99%", "1.99", "99B", "0"})
  void growthAboveTheTolerance_exits5(String tolerance) throws IOException {
    command.updateGreedy(command.model());
    command.replace("3000", "3100");

    assertThat(command.greedy(command.model(), "--tolerance", tolerance).exitCode())
        .isEqualTo(ExitCode.WORSE);
  }

  @Test
  void growthAboveTheTolerance_saysTheBound() throws IOException {
    command.updateGreedy(command.model());
    command.replace("3000", "3100");

    assertThat(command.greedy(command.model(), "--tolerance", "1%").err())
        .contains(
            "offsets_bytes is 5,100, 100 more (+2.0 %), expected at most 5,050: 5,000 and a tolerance of 1%\n");
  }
}
