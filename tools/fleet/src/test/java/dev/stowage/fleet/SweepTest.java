package dev.stowage.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps in this process, on Flink's small cluster. */
final class SweepTest {

  @TempDir private Path folder;

  private record Run(int exitCode, String out, String err) {}

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Sweep.run(new PrintWriter(out), new PrintWriter(err, true), arguments);
    return new Run(exitCode, out.toString(), err.toString());
  }

  @BeforeEach
  void writeProgram() throws IOException {
    System.setProperty("stowage.program", Program.write(folder, "").toString());
  }

  @AfterEach
  void forgetProgram() {
    System.clearProperty("stowage.program");
  }

  @Test
  void run_fileThatKillsItsProcess_hasAllOtherResults() throws IOException {
    Path files = folder.resolve("files");
    // Ten files in each batch.
    Program.problems(files, 950, 4711);
    Files.writeString(files.resolve("problem-007.csv"), "");
    Program.imitate(folder, Program.killedBy("problem-005.csv"));
    Path results = folder.resolve("results");

    Run run = run("sweep", files.toString(), "--run", "plan", "--results", results.toString());

    assertThat(run.out())
        .isEqualTo(
            """
            948 of 950 files done, 2 failed.

            FAILED
              %1$s/problem-005.csv: signal 9 ended the process
              %1$s/problem-007.csv: is empty
            """
                .formatted(files));
    assertThat(run.err()).isEqualTo("stowage: wrote " + results + "/results-*.jsonl\n");
    assertThat(run.exitCode()).isEqualTo(1);
    List<String> lines = Program.results(results);
    assertThat(lines).hasSize(950);
    assertThat(lines.subList(5, 8))
        .containsExactly(
            "{\"input\":\"%s/problem-005.csv\",\"error\":\"signal 9 ended the process\"}"
                .formatted(files),
            "{\"input\":\"%1$s/problem-006.csv\",\"result\":{\"input\":\"%1$s/problem-006.csv\",\"bytes\":1}}"
                .formatted(files),
            "{\"input\":\"%s/problem-007.csv\",\"error\":\"is empty\"}".formatted(files));
    assertThat(results.toFile().list()).hasSize(95).allMatch(name -> name.startsWith("results-"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          missing.csv | | 3 | 0 of 1 file done, 1 failed.
          problem-000.csv | --capacity 10 | 4 | 1 of 1 file done, 0 failed.
          """)
  void run_oneFile_exitsWithTheCodeOfTheCommand(
      String file, String options, int exitCode, String firstLine) throws IOException {
    Program.problems(folder, 1, 1);
    String commandLine =
        "sweep --run plan --results %1$s/results %1$s/%2$s -- %3$s"
            .formatted(folder, file, options == null ? "--io" : options);

    Run run = run(commandLine.split(" "));

    assertThat(run.out().lines().findFirst()).contains(firstLine);
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sweep x --run plan | Missing required option: '--results=FOLDER'
          sweep --run plan --results new | Missing required parameter: 'INPUT'
          sweep x --run check --results new | Invalid value for option '--run': expected one of [plan, replay, tune, budget] (case-insensitive) but was 'check'
          sweep x --run plan --results src | --results is 'src', expected an empty folder or a new one
          sweep x --run plan --results pom.xml | --results is 'pom.xml', expected an empty folder or a new one
          sweep x --run plan --results new --cluster localhost | --cluster is 'localhost', expected an address such as localhost:8081
          sweep x --run plan --results new -- --output=a.html | --output is an option for a single file; --results writes the results of all
          """)
  void run_wrongCommandLine_exits2(String commandLine, String message) {
    Run run = run(commandLine.split(" "));

    assertThat(run.err()).isEqualTo("stowage: " + message + "\nTry 'stowage sweep --help'.\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void run_optionThatTheCommandDoesNotHave_exits2WithItsMessage() {
    Path results = folder.resolve("results");

    Run run =
        run("x.csv", "--run", "plan", "--results", results.toString(), "--", "--kind", "none");

    assertThat(run.err())
        .startsWith("stowage: Invalid value for option '--kind': ")
        .endsWith("\nTry 'stowage plan --help'.\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(results).doesNotExist();
  }

  @Test
  void run_folderWithoutFilesOfTheCommand_exits3() throws IOException {
    Files.writeString(folder.resolve("notes.txt"), "none");

    Run run = run(folder.toString(), "--run", "budget", "--results", folder + "/results");

    assertThat(run.err()).isEqualTo("stowage: " + folder + ": has no files that budget reads\n");
    assertThat(run.exitCode()).isEqualTo(3);
  }

  @Test
  void run_programThatCannotStart_endsWithTheMachineAndTheRemedy() throws IOException {
    Path problem = Path.of(Program.problems(folder, 1, 1).get(0));
    // The check of the options deletes the program.
    Path program = Program.imitate(folder, "rm \"$0\"");

    Run run = run(problem.toString(), "--run", "plan", "--results", folder + "/results");

    assertThat(run.err())
        .startsWith("stowage: the machine ")
        .contains(
            " needs "
                + program
                + " or stowage on its PATH, and the folder "
                + Path.of("").toAbsolutePath()
                + ": ");
    assertThat(run.out()).isEqualTo("0 of 1 file done, 0 failed.\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void run_help_fitsOnAScreen() {
    Run run = run("sweep", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("Usage: stowage sweep INPUT... --run COMMAND --results FOLDER")
        .contains("--cluster=HOST:PORT");
    assertThat(run.out().lines()).hasSizeLessThanOrEqualTo(30);
  }
}
