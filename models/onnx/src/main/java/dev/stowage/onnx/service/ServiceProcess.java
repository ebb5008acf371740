package dev.stowage.onnx.service;

import ai.onnxruntime.OrtException;
import dev.stowage.onnx.service.ServiceScript.Order;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A process that runs a model as a service would, and prints its own memory after each step.
 *
 * <p>The standard input has a {@link ServiceScript}. The steps are: the start, the engine, each
 * session, rounds at each shape, the mixed load, rounds again, and the end of all requests.
 */
public final class ServiceProcess {

  /** The exit code if the command ended first. */
  private static final int ORPHANED = 1;

  /** ONNX Runtime's messages start with a code, and with the file, which the command names. */
  private static final Pattern BEFORE =
      Pattern.compile("^Error code - \\w+ - message: (Load model from .*? failed: ?)?");

  private ServiceProcess() {}

  /**
   * Runs the service.
   *
   * @param args none; the standard input has a {@link ServiceScript}
   * @throws IOException if the operating system does not report the memory
   */
  public static void main(String[] args) throws IOException {
    preferForKills();
    ServiceScript script = ServiceScript.read(System.in);
    haltAtEndOfInput();
    StepLines lines = new StepLines(System.out);
    // The first line loads the classes that report memory.
    lines.memory("class");
    lines.memory("start");
    try {
      run(script, lines);
    } catch (OrtException | IllegalStateException | IllegalArgumentException e) {
      lines.failure(BEFORE.matcher(String.valueOf(e.getMessage())).replaceFirst(""));
    }
    System.out.flush();
    // Threads of the engine do not keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  private static void run(ServiceScript script, StepLines lines) throws IOException, OrtException {
    EngineSessions sessions = new EngineSessions(script);
    lines.memory("engine");
    for (int i = 0; i < script.load().sessions(); i++) {
      sessions.add();
      lines.memory("session", sessions.allocatedBytes(), 0);
    }
    try (ServiceRequests requests = new ServiceRequests(sessions, script)) {
      serve(script, requests, lines);
      lines.memory("inputs", requests.inputBytes(), 0);
    }
    lines.memory("kept");
  }

  private static void serve(ServiceScript script, ServiceRequests requests, StepLines lines)
      throws IOException, OrtException {
    if (script.load().order() == Order.ARRIVAL) {
      requests.arrive(script.mixed());
      lines.memory("arrived");
      return;
    }
    List<Map<String, Long>> shapes = script.shapes();
    if (script.load().order() == Order.MIXED) {
      mix(script, requests, lines);
    }
    for (Map<String, Long> shape : shapes) {
      long nanos = requests.rounds(shape);
      lines.memory("shape", requests.peakBytes(), nanos);
    }
    if (!script.mixed().isEmpty()) {
      mix(script, requests, lines);
      long nanos = requests.rounds(shapes.getLast());
      lines.memory("again", requests.peakBytes(), nanos);
    }
  }

  private static void mix(ServiceScript script, ServiceRequests requests, StepLines lines)
      throws IOException, OrtException {
    long growth = requests.mixed(script.mixed(), script.load().windowSeconds());
    lines.memory(growth > 0 ? "growing" : "mixed", growth, 0);
  }

  /** Makes this process the first that the kernel ends if the machine has no memory left. */
  private static void preferForKills() {
    try {
      Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
    } catch (IOException e) {
      // The command ends this process before that.
    }
  }

  /** Ends this process when the command ends, which closes the standard input. */
  private static void haltAtEndOfInput() {
    Thread.ofPlatform()
        .daemon()
        .name("stowage-command")
        .start(() -> {
          try {
            // The command writes nothing else.
            System.in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            // The command has ended.
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }
}
