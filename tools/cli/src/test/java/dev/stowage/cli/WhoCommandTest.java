package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The memory of a process that waits. */
class WhoCommandTest {

  @TempDir private Path folder;

  private Process process;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    process = new ProcessBuilder("cat").start();
    // The process has the memory of cat after exec, when the pipe answers.
    process.getOutputStream().write('x');
    process.getOutputStream().flush();
    assertThat(process.getInputStream().read()).isEqualTo('x');
  }

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroy();
    }
  }

  @Test
  void who_table_endsWithTheSum() {
    CommandRun run = CommandRun.of("who", process.pid());

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: process %d: the process is no Java virtual machine, or does not accept"
                    .formatted(process.pid())
                + " connections, so that only the kernel was asked\n");
    assertThat(run.out())
        .startsWith("Process " + process.pid() + ", cat: ")
        .containsPattern("\n  libraries +[0-9,]+ +[0-9.]+ [KM]iB +[0-9.]+ %\n")
        .containsPattern("\n  resident +[0-9,]+ +[0-9.]+ [KM]iB +100.0 %\n");
  }

  @Test
  void who_json_hasPartsThatAddUp() {
    JsonNode line =
        new JsonMapper().readTree(CommandRun.of("who", process.pid(), "--format", "json").out());

    assertThat(line.get("pid").longValue()).isEqualTo(process.pid());
    assertThat(line.get("command").asString()).isEqualTo("cat");
    long sum = 0;
    for (JsonNode part : line.get("parts")) {
      assertThat(part.get("owner").asString()).matches("[a-z_]+");
      sum += part.get("bytes").longValue();
    }
    assertThat(sum).isPositive().isEqualTo(line.get("resident_bytes").longValue());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 'stowage: PROCESS is 0, expected 1 or more'",
    "-4, 'stowage: PROCESS is -4, expected 1 or more'",
    "99999999999999999999, 'PROCESS is 99999999999999999999, expected 1 or more'",
  })
  void who_wrongNumber_exits2(String pid, String message) {
    CommandRun run = CommandRun.of("who", pid);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "--gc, '--gc needs a running process, but ''dump.txt'' is a dump'",
    "--output=x.json, '--output is ''x.json'', expected a name that ends in .txt'",
  })
  void who_optionsThatDoNotFit_exits2(String option, String message) {
    CommandRun run = CommandRun.of("who", "dump.txt", option);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
  }

  /** The figures in a dump are those that were printed with it. */
  @Test
  void who_aDump_hasTheSameFigures() throws IOException {
    Path dump = folder.resolve("cat.txt");
    CommandRun live =
        CommandRun.of("who", process.pid(), "--format", "json", "--output", dump.toString());
    CommandRun read = CommandRun.of("who", dump.toString(), "--format", "json");

    assertThat(live.err()).contains("stowage: wrote " + dump);
    assertThat(read.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(read.out()).isEqualTo(live.out());
  }

  @Test
  void who_aFileThatIsNoDump_exits3() throws IOException {
    Path other = Files.writeString(folder.resolve("other.txt"), "== status\nName: x\n");
    CommandRun run = CommandRun.of("who", other.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: the dump has no mappings, expected a section '== smaps' with the content"
                    .formatted(other)
                + " of /proc/PID/smaps\n");
    assertThat(CommandRun.of("who", folder.resolve("none.txt").toString()).err())
        .contains("there is no such file or folder");
  }

  @Test
  void who_noSuchProcess_exits3() {
    CommandRun run = CommandRun.of("who", Integer.MAX_VALUE);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: process 2147483647: does not exist or has ended, expected the number of a"
                + " running process on Linux\n");
  }
}
