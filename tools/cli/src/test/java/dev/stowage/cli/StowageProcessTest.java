package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of a separate process: streams, memory, language. */
final class StowageProcessTest {

  @TempDir private Path folder;

  private CommandRun run(File out, List<String> jvmOptions, Object... arguments)
      throws IOException, InterruptedException {
    Path err = folder.resolve("err");
    int exitCode =
        new ProcessBuilder(command(jvmOptions, arguments))
            .redirectOutput(out)
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new CommandRun(
        exitCode, out.isFile() ? Files.readString(out.toPath()) : "", Files.readString(err));
  }

  private static List<String> command(List<String> jvmOptions, Object... arguments) {
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
    return command;
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
    CommandRun run = run(new File("/dev/full"), List.of(), "plan", problem(1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    // The reason is a text of the system, in its language.
    assertThat(run.err()).matches("stowage: the standard output cannot be written: .+\n");
  }

  @Test
  void main_readerIsGone_exits1WithoutAMessageInAnyLanguage() throws Exception {
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command(List.of(), "plan", "-", "--input-format", "csv"));
    // The language of texts, if the system has them in it.
    builder.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "LANGUAGE", "de"));
    Process process = builder.redirectError(err.toFile()).start();
    process.getInputStream().close();
    try (Writer in = process.outputWriter()) { // the command reads it before it writes
      in.write("id,lower,upper,size\na,0,1,1\n");
    }

    assertThat(process.waitFor()).isEqualTo(ExitCode.FAILED);
    assertThat(err).hasContent("");
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
            "stowage: %s: out of memory; run it with a larger heap: JAVA_TOOL_OPTIONS=-Xmx1g stowage plan %s %s %s --strategy TFLM_GREEDY --format csv\n"
                .formatted(big, small, big, small));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out().lines()).hasSize(3).noneMatch(line -> line.startsWith(big.toString()));
  }

  /** A snapshot whose contents do not fit; the line of the message does what the command did. */
  @Test
  void main_tooLittleMemoryForASnapshot_printsTheLineToType() throws Exception {
    SnapshotPickle events = new SnapshotPickle();
    for (int i = 0; i < 150_000; i++) {
      events.alloc(512, 512, 0).free(512, 512);
    }
    Path snapshot = events.write(folder.resolve("long.pickle"));

    CommandRun run = run(folder.resolve("out").toFile(), List.of("-Xmx14m"), "replay", snapshot);

    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: is a snapshot that does not fit into memory; run it with a larger heap: JAVA_TOOL_OPTIONS=-Xmx1g stowage replay %s\n"
                .formatted(snapshot, snapshot));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(
            run(folder.resolve("out").toFile(), List.of("-Xmx1g"), "replay", snapshot).exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"onnx", "tflite"})
  void main_endlessModel_exits3InLittleMemory(String format) throws Exception {
    Path endless = folder.resolve("z." + format);
    Files.createSymbolicLink(endless, Path.of("/dev/zero"));

    CommandRun run = run(folder.resolve("out").toFile(), List.of("-Xmx32m"), "plan", endless);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo("stowage: " + endless + ": is a pipe or a device, expected a regular file\n");
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
    assertThat(run.err()).contains("needs 1.205 KiB (1,234 bytes), 234 B too many");
  }
}
