package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties of a separate process: streams, memory, language. */
final class StowageProcessTest {

  @TempDir private Path folder;

  private CommandRun run(File out, List<String> jvmOptions, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "--module-path",
            System.getProperty("jdk.module.path"),
            "-m",
            "dev.stowage.cli/dev.stowage.cli.Stowage"));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path err = folder.resolve("err");
    int exitCode =
        new ProcessBuilder(command)
            .redirectOutput(out)
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new CommandRun(
        exitCode, out.isFile() ? Files.readString(out.toPath()) : "", Files.readString(err));
  }

  private Path problem(int recordCount) throws IOException {
    StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i < recordCount; i++) {
      csv.append("tensor").append(i).append(",0,1,1\n");
    }
    return Files.writeString(folder.resolve("p.csv"), csv);
  }

  @Test
  void main_fullDevice_exits1() throws Exception {
    assertThat(run(new File("/dev/full"), List.of(), "plan", problem(1)))
        .isEqualTo(
            new CommandRun(
                ExitCode.FAILED,
                "",
                "stowage: the standard output cannot be written: No space left on device\n"));
  }

  @Test
  void main_tooLittleMemoryForOneFile_exits1WithTheRemedyAndDoesTheOthers() throws Exception {
    Path big = Files.move(problem(300_000), folder.resolve("big.csv"));
    Path small = problem(1);

    CommandRun run =
        run(
            folder.resolve("out").toFile(),
            List.of("-Xmx16m"),
            "plan",
            small,
            big,
            small,
            "--strategy",
            "TFLM_GREEDY",
            "--format",
            "csv");

    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: out of memory; set a larger heap, for example JAVA_TOOL_OPTIONS=-Xmx8g for 8 GiB\n"
                .formatted(big));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out().lines()).hasSize(3).noneMatch(line -> line.startsWith(big.toString()));
  }

  @Test
  void main_languageWithDigitsOfItsOwn_writesAsciiDigits() throws Exception {
    CommandRun run =
        run(
            folder.resolve("out").toFile(),
            List.of("-Duser.language=ar", "-Duser.country=EG"),
            "plan",
            problem(1234),
            "--format",
            "csv",
            "--capacity",
            "1000");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains(",TFLM_GREEDY,offsets,1234,1234,true,0.");
    assertThat(run.err()).contains("needs 1,234 bytes, 234 too many");
  }
}
