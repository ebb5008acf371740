package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that runs ONNX Runtime in the environment of ./stowage. */
@Timeout(120)
class TelemetryTest {

  /** The programs that the telemetry starts if the machine has no id. */
  private static final List<String> PROGRAMS = List.of("blkid", "hostname");

  @TempDir private Path folder;

  @Test
  void verify_environmentOfTheScripts_leavesNoFilesAndStartsNoPrograms() throws Exception {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Path started = folder.resolve("started");
    for (String name : PROGRAMS) {
      Path program = programs.resolve(name);
      Files.writeString(program, "#!/bin/sh\necho %s >>'%s'\n".formatted(name, started));
      assertThat(program.toFile().setExecutable(true)).isTrue();
    }
    Map<String, String> environment =
        Map.of(
            "HOME", home.toString(),
            "TMPDIR", temporary.toString(),
            "PATH", programs + ":" + System.getenv("PATH"),
            "JAVA_HOME", System.getProperty("java.home"));

    CommandRun run = verify(temporary, environment);

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .contains("All outputs in planned memory are identical")
        .doesNotContain("WARNING");
    assertThat(files(home)).isEmpty();
    assertThat(files(temporary)).isEmpty();
    assertThat(started).doesNotExist();
  }

  private static CommandRun verify(Path temporary, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("sh", "-c", ". .mvn/environment.sh && exec \"$JAVA_HOME/bin/java\" \"$@\""));
    command.addAll(List.of("sh", "-Djava.io.tmpdir=" + temporary));
    command.add("--enable-native-access=dev.stowage.memory,com.microsoft.onnxruntime");
    command.addAll(List.of("--module-path", System.getProperty("jdk.module.path")));
    command.addAll(List.of("-m", "dev.stowage.cli/dev.stowage.cli.Stowage", "verify"));
    command.addAll(List.of("examples/tiny_cnn.onnx", "--dim", "batch=1"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new CommandRun(process.waitFor(), output, "");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> !Files.isDirectory(file)).toList();
    }
  }
}
