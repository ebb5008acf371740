package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CommandRunTest {

  private static CommandRun run(int exitCode, String... messages) {
    return new CommandRun(exitCode, Map.of(), List.of(messages));
  }

  @Test
  void message_commandThatReadAllFiles_isThatOfTheFile() {
    CommandRun run = run(3, "stowage: a.csv: is empty", "stowage: b.csv: line 2: x", "Next: y");

    assertThat(run.message("b.csv")).contains("line 2: x");
    assertThat(run.message("c.csv")).isEmpty();
  }

  @Test
  void message_processThatEndedEarly_isEmpty() {
    assertThat(run(1, "stowage: a.csv: is empty").message("a.csv")).isEmpty();
    assertThat(run(137, "stowage: a.csv: is empty").message("a.csv")).isEmpty();
  }

  @Test
  void reason_processThatEndedEarly_isItsExitCodeAndItsLastLine() {
    assertThat(run(137).reason("a.csv")).isEqualTo("signal 9 ended the process");
    assertThat(run(1, "first", "stowage: out of memory").reason("a.csv"))
        .isEqualTo("the process ended with exit code 1: out of memory");
    assertThat(run(3, "stowage: a.csv: is empty").reason("a.csv")).isEqualTo("is empty");
  }

  @Test
  void fileCode_unknownExitCode_isAFailure() {
    assertThat(run(4).fileCode()).isEqualTo(4);
    assertThat(run(137).fileCode()).isEqualTo(1);
    assertThat(run(2).fileCode()).isEqualTo(1);
  }
}
