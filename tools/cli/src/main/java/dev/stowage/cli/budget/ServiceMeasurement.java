package dev.stowage.cli.budget;

import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The measured memory of a service.
 *
 * @param start the memory of the Java process before it loads the engine
 * @param end the memory after the last round, in each of which every session runs once
 */
public record ServiceMeasurement(ResidentMemory start, ResidentMemory end) {

  /** The number of processes, of which the largest counts. */
  public static final int PROCESSES = 5;

  /** The rounds of a process. The engine has all its memory after the second one. */
  private static final int ROUNDS = 4;

  /** The exit code of a process that ends with SIGKILL. */
  private static final int KILLED = 128 + 9;

  /** {@return the most resident bytes, without those of the Java process before the engine} */
  public long nativeBytes() {
    return end.highestBytes() - start.residentBytes();
  }

  /**
   * {@return the largest of five measurements, each in a new process}
   *
   * @param dimensions the sizes of its open dimensions
   * @throws MalformedFileException if the engine rejects the model or its inputs, or a process ends
   *     early
   * @throws IOException if a process cannot be started
   */
  public static ServiceMeasurement largest(
      Path model, Map<String, Long> dimensions, int sessions, int threads, long heapBytes)
      throws IOException {
    ServiceMeasurement largest = measure(model, dimensions, sessions, threads, heapBytes);
    for (int i = 1; i < PROCESSES; i++) {
      ServiceMeasurement next = measure(model, dimensions, sessions, threads, heapBytes);
      if (next.nativeBytes() > largest.nativeBytes()) {
        largest = next;
      }
    }
    return largest;
  }

  private static ServiceMeasurement measure(
      Path model, Map<String, Long> dimensions, int sessions, int threads, long heapBytes)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xms" + heapBytes);
    command.add("-Xmx" + heapBytes);
    command.add("-XX:+AlwaysPreTouch");
    command.add("-XX:+UseSerialGC");
    command.add("--enable-native-access=com.microsoft.onnxruntime");
    command.add("--module-path");
    command.add(System.getProperty("jdk.module.path"));
    command.add("-m");
    command.add("dev.stowage.cli/" + ServiceProcess.class.getName());
    command.add(model.toString());
    command.add(Integer.toString(sessions));
    command.add(Integer.toString(threads));
    command.add(Integer.toString(ROUNDS));
    dimensions.forEach((name, size) -> command.add(name + "=" + size));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ORT_DISABLE_TELEMETRY", "1"); // its files and threads take memory
    Process process = builder.start();
    try (BufferedReader out = process.inputReader()) {
      return read(model, process, out);
    } finally {
      process.destroyForcibly();
    }
  }

  private static ServiceMeasurement read(Path model, Process process, BufferedReader out)
      throws IOException {
    List<ResidentMemory> all = new ArrayList<>();
    List<ResidentMemory> runs = new ArrayList<>();
    String reason = "";
    String line = out.readLine();
    while (line != null) {
      if (reason.isEmpty() && !line.startsWith(ServiceProcess.MEMORY)) {
        reason = line;
      }
      if (line.startsWith(ServiceProcess.FAILURE)) {
        String message = line.substring(ServiceProcess.FAILURE.length());
        String name = model + ": ";
        throw new MalformedFileException(
            model.toString(),
            message.startsWith(name) ? message.substring(name.length()) : message);
      }
      if (line.startsWith(ServiceProcess.MEMORY)) {
        String[] step = line.substring(ServiceProcess.MEMORY.length()).split(" ", 2);
        ResidentMemory memory = ResidentMemory.parse(step[1]);
        all.add(memory);
        if (step[0].equals("run")) {
          runs.add(memory);
        }
      }
      line = out.readLine();
    }
    if (runs.size() < ROUNDS) {
      throw new MalformedFileException(model.toString(), failure(exitCode(process), reason));
    }
    return new ServiceMeasurement(all.get(1), runs.getLast());
  }

  private static String failure(int exitCode, String reason) {
    String cause =
        exitCode == KILLED
            ? "; the system kills processes for lack of memory, expected more of it or smaller sizes"
            : reason.isEmpty() ? "" : ": " + MalformedFileException.excerpt(reason);
    return String.format(
        Locale.ROOT,
        "cannot be measured: the process that runs the model ended early with exit code %d%s",
        exitCode,
        cause);
  }

  private static int exitCode(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a process measures memory", e);
    }
  }
}
