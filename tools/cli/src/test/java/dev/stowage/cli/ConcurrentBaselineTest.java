package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage plan --update-baseline} of several commands at the same time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ConcurrentBaselineTest {

  private static final int COMMANDS = 6;

  @TempDir private Path folder;

  private List<String> update(String input) {
    List<String> words = new ArrayList<>(List.of("plan", input, "--kind", "offsets"));
    words.addAll(List.of("--baseline", folder.resolve("memory.json").toString()));
    words.add("--update-baseline");
    if (input.equals("-")) {
      words.addAll(List.of("--input-format", "json"));
    }
    return words;
  }

  private static CommandRun run(InputStream in, List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new Program(in, new PrintWriter(out), new PrintWriter(err), new Interruption())
            .run(words.toArray(String[]::new));
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** {@return the content of the standard input, before which other work is done} */
  private static InputStream after(Callable<?> work) {
    byte[] problem = BaselineCommand.PROBLEM.getBytes(StandardCharsets.UTF_8);
    return new FilterInputStream(new ByteArrayInputStream(problem)) {
      private boolean isDone;

      @Override
      public int read(byte[] bytes, int start, int count) throws IOException {
        if (!isDone) {
          isDone = true;
          try {
            work.call();
          } catch (Exception e) {
            throw new IOException(e);
          }
        }
        return super.read(bytes, start, count);
      }
    };
  }

  private Path problem(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void update_ofOtherInputsInBetween_keepsTheirEntries() throws IOException {
    BaselineCommand command = BaselineCommand.in(folder);
    Path other = problem("other.json", BaselineCommand.PROBLEM);
    Path gone = problem("gone.json", BaselineCommand.PROBLEM);
    command.update(command.model(), other, gone, "--kind", "offsets");

    CommandRun run =
        run(
            after(() -> {
              command.replace("\"size\": 3000", "\"size\": 3100");
              Files.delete(gone);
              Path added = problem("new.json", BaselineCommand.PROBLEM);
              command.update(command.model(), added, "--kind", "offsets");
              return 0;
            }),
            update("-"));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEqualTo("stowage: wrote " + command.baseline() + "\n");
    assertThat(Files.readString(command.baseline()))
        .contains("    \"-\": {", "\"model.json\": {", "\"new.json\": {", "\"other.json\": {")
        .doesNotContain("gone.json")
        .containsOnlyOnce("\"offsets_bytes\": 5100");
  }

  @Test
  void update_afterTheBaselineWasDamaged_exits3AndLeavesIt() throws IOException {
    BaselineCommand command = BaselineCommand.in(folder);
    command.update(command.model());

    CommandRun run = run(after(() -> problem("memory.json", "damaged")), update("-"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith("stowage: " + command.baseline() + ": line 1, column 1: is not JSON");
    assertThat(folder.resolve("memory.json")).hasContent("damaged");
  }

  @Test
  void update_ofSixThreads_writesSixEntries() throws Exception {
    List<Path> pipes = pipes();
    try (ExecutorService threads = Executors.newFixedThreadPool(COMMANDS)) {
      List<Future<CommandRun>> runs = new ArrayList<>();
      for (Path pipe : pipes) {
        runs.add(threads.submit(() -> run(InputStream.nullInputStream(), update(pipe.toString()))));
      }
      feed(pipes);
      for (Future<CommandRun> run : runs) {
        assertThat(run.get().exitCode()).as(run.get().err()).isZero();
      }
    }
    assertComplete();
  }

  @Tag("full")
  @Test
  void update_ofSixProcesses_writesSixEntries() throws Exception {
    List<Path> pipes = pipes();
    List<Process> processes = new ArrayList<>();
    for (Path pipe : pipes) {
      List<String> words =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--module-path",
                  System.getProperty("jdk.module.path"),
                  "-m",
                  "dev.stowage.cli/dev.stowage.cli.Stowage"));
      words.addAll(update(pipe.toString()));
      processes.add(
          new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
    }
    feed(pipes);
    for (Process process : processes) {
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(err).isZero();
    }
    assertComplete();
  }

  /** {@return pipes for the problems, so that all commands read the baseline before any writes} */
  private List<Path> pipes() throws IOException, InterruptedException {
    List<Path> pipes =
        IntStream.range(0, COMMANDS).mapToObj(i -> folder.resolve("p" + i + ".json")).toList();
    List<String> words =
        Stream.concat(Stream.of("mkfifo"), pipes.stream().map(Path::toString)).toList();
    assertThat(new ProcessBuilder(words).start().waitFor()).isZero();
    return pipes;
  }

  /** Writes the problems when all commands have opened their pipes. */
  private static void feed(List<Path> pipes) throws IOException {
    List<OutputStream> inputs = new ArrayList<>();
    for (Path pipe : pipes) {
      inputs.add(Files.newOutputStream(pipe)); // waits for the reader
    }
    for (OutputStream input : inputs) {
      try (input) {
        input.write(BaselineCommand.PROBLEM.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private void assertComplete() throws IOException {
    assertThat(Files.readString(folder.resolve("memory.json")))
        .contains(IntStream.range(0, COMMANDS).mapToObj(i -> "\"p" + i + ".json\": {").toList());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(COMMANDS + 1);
    }
  }
}
