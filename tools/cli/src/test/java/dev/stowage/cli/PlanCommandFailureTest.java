package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.text.ShellLine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The standard input, its failures, and that they do not affect other files. */
@Timeout(60)
final class PlanCommandFailureTest {

  private static final String PROBLEM = "id,lower,upper,size\na,0,2,4\nb,1,3,8\n";

  @TempDir private Path folder;

  private static CommandRun run(InputStream in, Interruption interruption, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] args = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    int exitCode =
        new Program(in, new PrintWriter(out), new PrintWriter(err), interruption).run(args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  private static CommandRun run(String in, Object... arguments) {
    return run(
        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
        new Interruption(),
        arguments);
  }

  private Path file(String name) throws IOException {
    return Files.writeString(folder.resolve(name), PROBLEM);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new IllegalStateException("chunk 7"),
            "java.lang.IllegalStateException: chunk 7: this is a bug in Stowage; please report it, with the output of --debug"),
        Arguments.of(
            new AssertionError("I2"),
            "java.lang.AssertionError: I2: this is a bug in Stowage; please report it, with the output of --debug"),
        Arguments.of(
            new StackOverflowError(),
            "java.lang.StackOverflowError: this is a bug in Stowage; please report it, with the output of --debug"),
        Arguments.of(new OutOfMemoryError("Java heap space"), "out of memory; LARGER_HEAP"));
  }

  private static InputStream failing(Throwable failure) {
    return new InputStream() {
      @Override
      public int read() {
        if (failure instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) failure;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        return read();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void plan_failureInOneFile_namesItAndComparesTheOthers(Throwable failure, String message)
      throws IOException {
    List<String> words =
        List.of(
            "plan",
            file("one.csv").toString(),
            "-",
            file("two.csv").toString(),
            "--input-format",
            "json");
    CommandRun run = run(failing(failure), new Interruption(), words.toArray());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "stowage: -: "
                + message.replace("LARGER_HEAP", ShellLine.withLargerHeap(words))
                + "\n");
    assertThat(run.out()).contains("\n  one  ", "\n  two  ");
  }

  @Test
  void plan_bugWithDebug_printsTheStackTrace() {
    CommandRun run =
        run(
            failing(new IllegalStateException("chunk 7")),
            new Interruption(),
            "plan",
            "-",
            "--input-format",
            "csv",
            "--debug");

    assertThat(run.err())
        .contains(
            "please report it, with the output of --debug\njava.lang.IllegalStateException: chunk 7\n\tat ");
  }

  @Test
  void plan_negativeCapacityInJson_isAnErrorOfThatFileAlone() throws IOException {
    Path negative =
        Files.writeString(
            folder.resolve("negative.json"),
            "{\"capacity\": -1, \"records\": [{\"size\": 1, \"first_task\": 0, \"last_task\": 1}]}");

    CommandRun run =
        CommandRun.of(
            "plan", negative, file("p.csv"), "--format", "csv", "--strategy", "TFLM_GREEDY");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo("stowage: %s: capacity is -1, expected 0 or more bytes\n".formatted(negative));
    assertThat(run.out()).contains("/p.csv,TFLM_GREEDY,offsets,12,12,true,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "csv;`id,lower,upper,size\na,0,2,4\nb,1,3,8\n`",
        "csv;`\uFEFFid,lower,upper,size\r\na,0,2,4\r\nb,1,3,8`",
        "json;`{\"records\": [{\"size\": 4, \"first_task\": 0, \"last_task\": 1},"
            + " {\"size\": 8, \"first_task\": 1, \"last_task\": 2}]}`"
      })
  void plan_standardInput_isAProblemOfTheFormatGiven(String format, String problem) {
    CommandRun run =
        run(
            problem,
            "plan",
            "-",
            "--input-format",
            format,
            "--format",
            "csv",
            "--strategy",
            "TFLM_GREEDY");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).contains("\n-,TFLM_GREEDY,offsets,12,12,true,");
  }

  @Test
  void plan_fileOfAnotherName_isAProblemOfTheFormatGiven() throws IOException {
    CommandRun run = CommandRun.of("plan", file("problem.txt"), "--input-format", "csv");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "``;line 1: is empty, expected a header with id, lower, upper and size",
        "`id,lower,upper,size\na,0,2\n`;line 2: is not CSV: Not enough column values: expected 4, found 3"
      },
      quoteCharacter = '`')
  void plan_badStandardInput_exits3(String problem, String message) {
    assertThat(run(problem, "plan", "-", "--input-format", "csv"))
        .isEqualTo(new CommandRun(ExitCode.BAD_INPUT, "", "stowage: -: " + message + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "plan -;the format of '-', the standard input, is unknown: add --input-format csv or json",
        "plan - --input-format onnx;Invalid value for option '--input-format': expected one of"
            + " [csv, json] (case-insensitive) but was 'onnx'"
      },
      quoteCharacter = '`')
  void plan_wrongUseOfTheStandardInput_exits2(String line, String message) {
    CommandRun run = run(PROBLEM, (Object[]) line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @Test
  void plan_signalWhileAFileIsRead_printsTheOthersAndNamesTheRest() throws IOException {
    Interruption interruption = new Interruption();
    Path before = file("before.csv");
    Path after = file("after.csv");
    InputStream in =
        new InputStream() {
          @Override
          public int read() throws IOException {
            interruption.interrupt(2);
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return -1;
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return read();
          }
        };

    CommandRun run = run(in, interruption, "plan", before, "-", after, "--input-format", "csv");

    assertThat(run.exitCode()).isEqualTo(130);
    assertThat(run.err())
        .isEqualTo(
            "stowage: interrupted: not planned: -\nstowage: interrupted: not planned: "
                + after
                + "\n");
    assertThat(run.out())
        .startsWith(before + ": One arena of 12 bytes holds all 2 tensors of 3 tasks");
  }

  @Test
  void plan_pipe_isReadLikeAFile() throws Exception {
    Path example = Path.of("examples", "puzzle.csv");
    Path pipe = folder.resolve("puzzle.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread writer =
        Thread.startVirtualThread(() -> {
          try {
            Files.write(pipe, Files.readAllBytes(example));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    String[] options = {"--format", "csv", "--strategy", "TFLM_GREEDY"};

    CommandRun piped =
        run("", Stream.concat(Stream.of("plan", pipe), Stream.of(options)).toArray());
    writer.join();
    CommandRun direct =
        run("", Stream.concat(Stream.of("plan", example), Stream.of(options)).toArray());

    assertThat(piped.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(totals(piped)).isEqualTo(totals(direct));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiny_cnn.onnx", "mobilenet_v2.tflite"})
  void plan_modelInAPipe_exits3(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    CommandRun run = CommandRun.of("plan", pipe);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo("stowage: %s: is a pipe or a device, expected a regular file\n".formatted(pipe));
  }

  private static String totals(CommandRun run) {
    return run.out().lines().toList().getLast().replaceAll("^[^,]*|[0-9.]+,+$", "");
  }

  @Test
  void plan_loopAndDanglingLink_areNamedAsSuch() throws IOException {
    Path loop = Files.createSymbolicLink(folder.resolve("loop.csv"), Path.of("loop.csv"));
    Path dangling = Files.createSymbolicLink(folder.resolve("d.csv"), Path.of("gone.csv"));
    Path below = file("p.csv").resolve("q.csv");

    // The reason for a loop is a text of the system, in its language.
    assertThat(CommandRun.of("plan", loop, dangling, below).err())
        .startsWith("stowage: " + loop + ": cannot be read: ")
        .endsWith(
            """
            stowage: %s: is a link to gone.csv, which does not exist
            stowage: %s: does not exist
            """
                .formatted(dangling, below));
  }

  @Test
  void plan_twoOutputsThatAreOneFile_exits2() throws IOException {
    Path file = file("p.csv");

    assertThat(CommandRun.of("plan", file, "--output", "out.csv", "--output", "./out.csv").err())
        .startsWith("stowage: --output is './out.csv', which is written twice; use another name");
  }

  @Test
  void plan_outputToAFolder_namesTheEnds() throws IOException {
    Path file = file("p.csv");

    assertThat(CommandRun.of("plan", file, "--output", folder).err())
        .startsWith(
            "stowage: --output is '%s', expected a name that ends in .csv, .json, .html, .svg or .h"
                .formatted(folder));
  }
}
