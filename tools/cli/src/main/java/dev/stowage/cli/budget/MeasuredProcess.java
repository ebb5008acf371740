package dev.stowage.cli.budget;

import dev.stowage.onnx.service.ServiceProcess;
import dev.stowage.onnx.service.ServiceScript;
import dev.stowage.onnx.service.StepLines;
import dev.stowage.plan.MalformedFileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A child process that runs a service with its engine. */
final class MeasuredProcess {

  /*
   * The heap has a fixed size. The child touches it at the start, so that the memory at each step
   * includes it. A thread ends the child if less than a tenth of the memory is available. If the
   * thread is late, the kernel ends the child before any other process. A limit of the address
   * space would end the JVM of the child instead.
   */

  /** The heap of a child if the service has none. */
  private static final long DEFAULT_HEAP_BYTES = 64L << 20;

  /** The exit code of a process that ends with SIGKILL. */
  private static final int KILLED = 128 + 9;

  private static final long POLL_MILLIS = 20;

  private static final int MAX_REASON_CHARS = 400;

  private MeasuredProcess() {}

  /**
   * {@return the steps of a script}
   *
   * @throws MalformedFileException if the engine rejects the model or its inputs
   * @throws IOException if the process cannot be started, or ends early
   */
  static MeasuredSteps run(ServiceScript script, BudgetRequest request) throws IOException {
    long heapBytes = request.service().heapBytes().orElse(DEFAULT_HEAP_BYTES);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heapBytes,
                "-Xmx" + heapBytes,
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "--enable-native-access=com.microsoft.onnxruntime,dev.stowage.memory,dev.stowage.onnx,dev.stowage.onnxruntime",
                "--add-modules",
                "com.microsoft.onnxruntime",
                "--module-path",
                request.engine().modulePath()));
    command.addAll(request.engine().libraryOptions());
    command.addAll(List.of("-m", "dev.stowage.onnx/" + ServiceProcess.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ORT_DISABLE_TELEMETRY", "1"); // its files and threads take memory
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    AtomicBoolean isShort = new AtomicBoolean();
    Thread guard =
        Thread.ofPlatform().daemon().name("stowage-guard").start(() -> guard(process, isShort));
    try (BufferedReader out = process.inputReader()) {
      write(script, process);
      return read(script.model(), process, out, isShort);
    } finally {
      process.destroyForcibly();
      guard.interrupt();
    }
  }

  /** Writes the work, after which the input stays open as long as the command runs. */
  private static void write(ServiceScript script, Process process) {
    try {
      new ObjectOutputStream(process.getOutputStream()).writeObject(script);
      process.getOutputStream().flush();
    } catch (IOException e) {
      // The process has ended; its output has the reason.
    }
  }

  private static void guard(Process process, AtomicBoolean isShort) {
    try {
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (MeasuredMachine.isShort()) {
          isShort.set(true);
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      // The command does not wait any longer.
    }
  }

  private static MeasuredSteps read(
      String model, Process process, BufferedReader out, AtomicBoolean isShort) throws IOException {
    List<String> lines = out.lines().toList();
    for (String line : lines) {
      if (line.startsWith(StepLines.FAILURE)) {
        String reason = line.substring(StepLines.FAILURE.length()).strip();
        throw new MalformedFileException(
            model,
            "cannot run: " + reason.substring(0, Math.min(MAX_REASON_CHARS, reason.length())));
      }
    }
    MeasuredSteps steps = MeasuredSteps.parse(lines, isShort.get() || exitCode(process) == KILLED);
    if (steps.isShort() && steps.all("session").isEmpty()) {
      throw new MalformedFileException(
          model,
          "cannot be measured: less than a tenth of the memory of this machine was available while it was loaded; free memory, or use a larger machine");
    }
    if (!steps.isShort() && steps.keptBytes().isEmpty()) {
      throw new MalformedFileException(
          model,
          "cannot be measured: the process that runs the model ended early with exit code "
              + exitCode(process)
              + lines.stream()
                  .filter(line -> !line.startsWith(StepLines.STEP))
                  .findFirst()
                  .map(line -> ": " + MalformedFileException.excerpt(line))
                  .orElse(""));
    }
    return steps;
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
