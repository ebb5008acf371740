package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.stowage.cli.console.ExitCode;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to processes. The tests wait for output of the process and do not sleep. */
@Timeout(120)
@Tag("full")
final class StowageSignalTest {

  /** The progress of the search in the endless problem, whose plans have 3x,xxx bytes. */
  private static final String SEARCHING = "OPTIMAL 3";

  /** Most of the bytes that a pipe holds on Linux. */
  private static final int PIPE_BYTES = 60_000;

  @TempDir private Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(Object... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // As on a terminal, so that the progress shows the start of the search.
    command.addAll(List.of("-Dstowage.terminal=true", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--module-path", System.getProperty("jdk.module.path")));
    command.addAll(List.of("-m", "dev.stowage.cli/dev.stowage.cli.Stowage"));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return process;
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static void signal(Process process, String name) throws Exception {
    // Every shell has this command; few containers have it as a program.
    String kill = "kill -%s %s".formatted(name, process.pid());
    assertThat(new ProcessBuilder("sh", "-c", kill).inheritIO().start().waitFor()).isZero();
  }

  /** A shell starts background processes with SIGINT ignored. */
  private static void assumeHeeds(Process process, String signal) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (signal.equals("INT") && Files.exists(status)) {
      String ignored =
          Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("SigIgn:"))
              .findFirst()
              .orElseThrow();
      long mask = Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16);
      assumeFalse((mask & 2) != 0, "needs SIGINT (start the tests in the foreground)");
    }
  }

  /** Reads the standard error until it contains a text. */
  private static String awaitError(Process process, String text) throws IOException {
    InputStream err = process.getErrorStream();
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = err.read();
      assertThat(next).as("the process ended early: %s", read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void main_signalDuringASearch_printsAndWritesTheBestPlan(String signal, int code)
      throws Exception {
    Path endless = file("endless.csv", EndlessProblem.csv());
    Path output = folder.resolve("plan.json");
    Process process =
        start("plan", endless, "--kind", "offsets", "--time-limit", "3600", "--output", output);
    assumeHeeds(process, signal);
    awaitError(process, SEARCHING);

    signal(process, signal);

    assertThat(text(process.getInputStream()))
        .contains("  OPTIMAL ", "\nInterrupted: plans are missing or could be smaller.\n");
    assertThat(text(process.getErrorStream()))
        .contains("note: %s: interrupted: plans are missing or could be smaller".formatted(endless))
        .contains("stowage: wrote " + output);
    assertThat(process.waitFor()).isEqualTo(code);
    assertThat(CommandRun.of("plan", output).exitCode()).isEqualTo(ExitCode.DONE);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(endless, output);
    }
  }

  @Test
  void main_signalDuringTheSecondOfThreeFiles_printsTwoAndNamesTheThird() throws Exception {
    Path quick = file("quick.csv", "id,lower,upper,size\na,0,1,5\n");
    Path endless = file("endless.csv", EndlessProblem.csv());
    Process process =
        start(
            "plan",
            quick,
            endless,
            quick,
            "--kind",
            "offsets",
            "--time-limit",
            "3600",
            "--format",
            "json");
    awaitError(process, SEARCHING);

    signal(process, "TERM");

    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).contains("quick.csv").doesNotContain("interrupted");
      assertThat(out.readLine())
          .contains("endless.csv", "\"ended\":\"cancelled\"", "\"interrupted\":true");
      assertThat(out.readLine()).isNull();
    }
    assertThat(text(process.getErrorStream()))
        .endsWith("stowage: interrupted: not planned: " + quick + "\n");
    assertThat(process.waitFor()).isEqualTo(143);
  }

  @Test
  void main_signalDuringTheSecondOfThreeFiles_reportHasTwoAndNamesTheThird() throws Exception {
    Path quick = file("quick.csv", "id,lower,upper,size\na,0,1,5\n");
    Path endless = file("endless.csv", EndlessProblem.csv());
    Path late = file("late.csv", "id,lower,upper,size\na,0,1,5\n");
    Path report = folder.resolve("report.html");
    Process process =
        start(
            "plan",
            quick,
            endless,
            late,
            "--kind",
            "offsets",
            "--time-limit",
            "3600",
            "--output",
            report);
    awaitError(process, SEARCHING);
    assertThat(report).doesNotExist();

    signal(process, "TERM");

    assertThat(text(process.getErrorStream())).contains("stowage: wrote " + report);
    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(Files.readString(report).replace("<wbr>", ""))
        .contains(">quick<", ">endless<", "Interrupted: plans are missing or could be smaller")
        .contains("interrupted: not planned: " + late)
        .endsWith("</html>\n");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(quick, endless, late, report);
    }
  }

  /** No process reads the pipe, so that its opening blocks. */
  @Test
  void main_signalWhileAPipeIsOpened_endsTheProcess() throws Exception {
    Path pipe = folder.resolve("p.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path quick = file("quick.csv", "id,lower,upper,size\na,0,1,5\n");
    Process process = start("plan", quick, "--output", pipe);
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).contains("quick.csv"); // the pipe is next

      signal(process, "TERM");

      assertThat(process.waitFor()).isEqualTo(143);
    }
  }

  /** The reader of a pipe reads a part, and then no more. */
  @ParameterizedTest
  @ValueSource(strings = {"stdout", "pipe"})
  void main_signalWhileTheOutputIsNotRead_endsTheProcess(String output) throws Exception {
    Path many = file("many.csv", "id,lower,upper,size\n" + lines(20_000));
    Path pipe = folder.resolve("p.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process process =
        output.equals("pipe")
            ? start("plan", many, "--strategy", "NAIVE", "--output", pipe)
            : start("plan", many, "--strategy", "NAIVE", "--format", "json");
    try (InputStream in =
        output.equals("pipe") ? new FileInputStream(pipe.toFile()) : process.getInputStream()) {
      assertThat(in.read()).isNotNegative();
      while (in.available() < PIPE_BYTES && !Thread.interrupted()) {
        Thread.onSpinWait();
      }

      signal(process, "TERM");

      assertThat(process.waitFor()).isEqualTo(143);
    }
  }

  private static String lines(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("record").append(i).append(",0,1,5\n");
    }
    return lines.toString();
  }

  /** The process ends at the first signal or at the second one, but not before the first one. */
  @Test
  void main_secondSignal_endsTheProcess() throws Exception {
    Path pipe = folder.resolve("p.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path endless = file("endless.csv", EndlessProblem.csv());
    Process process =
        start("plan", endless, "--kind", "offsets", "--time-limit", "3600", "--output", pipe);
    awaitError(process, SEARCHING);
    signal(process, "TERM");
    awaitError(process, "interrupted: plans are missing or could be smaller");

    process.destroy(); // the same signal

    assertThat(process.waitFor()).isEqualTo(143);
  }

  @Test
  void main_signalWhileTheInputIsRead_saysThatNothingIsPlanned() throws Exception {
    Process process = start("plan", "-", "--input-format", "csv");
    OutputStream in = process.getOutputStream();
    // The output exceeds the capacity of a pipe, so that the process is still writing.
    in.write("id,lower,upper,size\na,0,1,5\n".getBytes(StandardCharsets.UTF_8));
    in.write("b,0,1,5\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
    in.flush();

    signal(process, "TERM");

    assertThat(text(process.getInputStream())).isEmpty();
    assertThat(text(process.getErrorStream())).endsWith("stowage: interrupted: not planned: -\n");
    assertThat(process.waitFor()).isEqualTo(143);
  }

  @Test
  void main_signalWhileAPlanIsRead_namesEachFileThatIsNotChecked() throws Exception {
    Path plan = file("plan.csv", "id,lower,upper,size,offset\na,0,1,5,0\n");
    Process process = start("check", plan, "-", plan, "--input-format", "csv", "--format", "json");
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).contains("plan.csv"); // the second file is next

      signal(process, "TERM");

      assertThat(out.readLine()).isNull();
    }
    assertThat(text(process.getErrorStream()))
        .endsWith( // after the progress of a slow machine
            "stowage: interrupted: not checked: -\nstowage: interrupted: not checked: %s\n"
                .formatted(plan));
    assertThat(process.waitFor()).isEqualTo(143);
  }

  @Test
  void main_signalWhileATraceIsRead_hasTheResultsBefore() throws Exception {
    Path quick = file("quick.csv", "op,id,bytes,stream,t\na,x,1000,0,0\n");
    Process process = start("replay", quick, "/dev/stdin", "--format", "json");
    OutputStream in = process.getOutputStream();
    in.write("op,id,bytes,stream,t\na,x,1000,0,0\n".getBytes(StandardCharsets.UTF_8));
    in.write("f,x,,0,0\na,x,1000,0,0\n".repeat(50_000).getBytes(StandardCharsets.UTF_8));
    in.flush();

    signal(process, "TERM");

    assertThat(text(process.getInputStream())).contains("quick.csv").doesNotContain("/dev/stdin");
    assertThat(process.waitFor()).isEqualTo(143);
  }
}
