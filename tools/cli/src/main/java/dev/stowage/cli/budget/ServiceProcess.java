package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.ModelService;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A process that runs a model in sessions and prints its own memory after each step, for {@link
 * ServiceMeasurement}.
 *
 * <p>Arguments: the file, the sessions, the threads, the runs, and the dimensions as {@code
 * NAME=SIZE}.
 */
public final class ServiceProcess {

  /** The start of lines with the memory after a step. */
  static final String MEMORY = "stowage-memory ";

  /** The start of the line with the reason for a failure. */
  static final String FAILURE = "stowage-failure ";

  private static final int FIRST_DIMENSION = 4;

  /** The exit code if the command ended first. */
  private static final int ORPHANED = 1;

  private ServiceProcess() {}

  /**
   * Runs the service.
   *
   * @throws IOException if the operating system does not report the memory
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    haltAtEndOfInput();
    // The first line loads the classes that report memory.
    print("class", out);
    print("start", out);
    Map<String, Long> dimensions = new LinkedHashMap<>();
    for (int i = FIRST_DIMENSION; i < args.length; i++) {
      int end = args[i].lastIndexOf('=');
      dimensions.put(args[i].substring(0, end), Long.parseLong(args[i].substring(end + 1)));
    }
    try (ModelService service =
        new ModelService(Path.of(args[0]), dimensions, Integer.parseInt(args[2]))) {
      print("engine", out);
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        service.addSession();
        print("session", out);
      }
      service.createInputs();
      print("inputs", out);
      for (int i = 0; i < Integer.parseInt(args[3]); i++) {
        service.run();
        print("run", out);
      }
    } catch (MalformedFileException e) {
      out.println(FAILURE + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  /** Ends this process when the command ends, which closes the standard input. */
  private static void haltAtEndOfInput() {
    Thread.ofPlatform()
        .daemon()
        .name("stowage-command")
        .start(() -> {
          try {
            while (System.in.read() >= 0) {
              // The command writes nothing.
            }
          } catch (IOException e) {
            // The command has ended.
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }

  private static void print(String step, PrintStream out) throws IOException {
    out.println(MEMORY + step + " " + ResidentMemory.now().toLine());
  }
}
