package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A process that runs {@link Culprit} with a heap of 600 MiB, or that of its options. */
record RunningCulprit(Process process, BufferedReader output) implements AutoCloseable {

  static RunningCulprit start(String program, List<String> options) throws IOException {
    return start(program, options, Map.of());
  }

  static RunningCulprit start(String program, List<String> options, Map<String, String> environment)
      throws IOException {
    return start(command(program, options), environment);
  }

  /** Starts a process in a control group. */
  static RunningCulprit startIn(Path group, String program, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    // The shell enters the group, and becomes Java there.
    command.addAll(
        List.of("sh", "-c", "echo $$ > \"$0\"/cgroup.procs; exec \"$@\"", group.toString()));
    command.addAll(command(program, options));
    return start(command, Map.of());
  }

  /** Starts a process with a heap that the options set. */
  static RunningCulprit startExactly(String program, List<String> options) throws IOException {
    return start(exactCommand(program, options), Map.of());
  }

  private static List<String> command(String program, List<String> options) {
    List<String> all = new ArrayList<>();
    if (options.stream().noneMatch(option -> option.matches("-Xmx.*|-XX:MaxRAMPercentage.*"))) {
      all.addAll(List.of("-Xms600m", "-Xmx600m"));
    }
    all.addAll(options);
    return exactCommand(program, all);
  }

  private static List<String> exactCommand(String program, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:-UsePerfData");
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            Path.of("target/test-classes").toAbsolutePath().toString(),
            Culprit.class.getName(),
            program));
    return command;
  }

  private static RunningCulprit start(List<String> command, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo("ready");
    return new RunningCulprit(process, output);
  }

  long pid() {
    return process.pid();
  }

  /** {@return the resident bytes of an owner} */
  long bytes(MemoryOwner owner) throws IOException {
    return MemoryByOwner.of(pid()).parts().stream()
        .filter(part -> part.owner() == owner)
        .mapToLong(OwnedMemory::bytes)
        .sum();
  }

  /** {@return true if the bytes of an owner fall below a size within some samples} */
  boolean falls(MemoryOwner owner, long bytes, int mostSamples) throws IOException {
    for (int i = 0; i < mostSamples; i++) {
      if (bytes(owner) < bytes) {
        return true;
      }
    }
    return false;
  }

  /** Lets the program go on, and {@return its next line; empty if it ended before} */
  Optional<String> goOn() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return Optional.ofNullable(output.readLine());
  }

  /** {@return the resident bytes that the kernel tells} */
  long kernelBytes() throws IOException {
    return Smaps.read(Files.readString(Path.of("/proc/" + pid() + "/smaps_rollup"))).stream()
        .mapToLong(Mapping::residentBytes)
        .sum();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    // A virtual machine that is killed leaves its socket.
    Files.deleteIfExists(Path.of("/tmp/.java_pid" + pid()));
  }
}
