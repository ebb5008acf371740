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
 * A process that runs a model like a service, and prints its own memory after each step.
 *
 * <p>The standard input has a {@link ServiceScript}. The steps are: the start, the engine, each
 * session, rounds at each shape, the mixed load, rounds again, and the end of all requests.
 */
public final class ServiceProcess {

  /** The exit code if the command ended first. */
  private static final int ORPHANED = 1;

  /** The start of ONNX Runtime's messages: a code, and the file, which the command itself names. */
  private static final Pattern BEFORE =
      Pattern.compile("^Error code - \\w+ - message: (Load model from .*? failed: ?)?");

  private ServiceProcess() {}

  /**
   * Runs the service.
   *
   * @param args none; the standard input has a {@link ServiceScript}
   * @throws IOException if the standard input has no script
   */
  public static void main(String[] args) throws IOException {
    preferForKills();
    ServiceScript script = ServiceScript.read(System.in);
    haltAtEndOfInput();
    StepLines lines = new StepLines(System.out);
    try {
      // The first line loads the classes that report memory.
      lines.memory("class");
      lines.memory("start");
      run(script, lines);
    } catch (IOException | RuntimeException e) {
      lines.failure(String.valueOf(e.getMessage()));
    }
    System.out.flush();
    // Threads of the engine do not keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  private static void run(ServiceScript script, StepLines lines) throws IOException {
    EngineSessions sessions = new EngineSessions(script);
    lines.memory("engine");
    try {
      for (int i = 0; i < script.load().sessions(); i++) {
        sessions.add();
        lines.memory("session", sessions.allocatedBytes(), 0);
      }
    } catch (OrtException e) {
      throw failure("ONNX Runtime does not load it; try --engine with another version", e);
    }
    try (ServiceRequests requests = new ServiceRequests(sessions, script)) {
      serve(script, requests, lines);
      lines.memory("inputs", requests.inputBytes(), 0);
    } catch (OrtException e) {
      throw failure("ONNX Runtime rejects the inputs; change --dim, --input or --option", e);
    }
    lines.memory("kept");
  }

  /** {@return the exception with the cause and the remedy in front of ONNX Runtime's own text} */
  private static IllegalStateException failure(String cause, OrtException failed) {
    String text = BEFORE.matcher(String.valueOf(failed.getMessage())).replaceFirst("");
    String shortage = "ONNX Runtime lacks memory; use smaller sizes or fewer requests at a time";
    boolean isShort = text.contains("allocate memory") || text.contains("bad_alloc");
    return new IllegalStateException((isShort ? shortage : cause) + ": " + text, failed);
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

  /** Makes the kernel end this process first if the machine runs out of memory. */
  private static void preferForKills() {
    try {
      Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
    } catch (IOException e) {
      // The command still ends this process when memory is short.
    }
  }

  /** Ends this process when the command ends, which closes the standard input. */
  private static void haltAtEndOfInput() {
    Thread.ofPlatform()
        .daemon()
        .name("stowage-command")
        .start(() -> {
          try {
            // The command writes nothing after the script.
            System.in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            // The command has ended.
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }
}
