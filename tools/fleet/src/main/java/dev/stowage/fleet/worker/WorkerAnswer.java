package dev.stowage.fleet.worker;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The end of a command in a worker.
 *
 * @param exitCode the exit code
 * @param out the lines of the standard output
 * @param err the lines of the standard error, without the name of the program in front
 * @param seconds the time of the command
 */
public record WorkerAnswer(int exitCode, List<String> out, List<String> err, double seconds) {

  private static final String PROGRAM = "stowage: ";

  /** The message of a command whose heap is exhausted, in part. */
  private static final String OUT_OF_MEMORY = "out of memory; ";

  /** The message with the remedy of a single command, which a worker ignores. */
  private static final Pattern EXHAUSTED = Pattern.compile(Pattern.quote(OUT_OF_MEMORY) + ".*");

  private static final String HEAP_OPTION =
      OUT_OF_MEMORY + "set a larger heap, for example --worker-heap 8GiB";

  /** Creates an answer. */
  public WorkerAnswer {
    out = List.copyOf(out);
    err = List.copyOf(err);
  }

  static WorkerAnswer of(int exitCode, String out, String err, double seconds) {
    return new WorkerAnswer(
        exitCode,
        out.lines().filter(line -> !line.isEmpty()).toList(),
        err.lines()
            .map(line -> line.startsWith(PROGRAM) ? line.substring(PROGRAM.length()) : line)
            .toList(),
        seconds);
  }

  /** {@return the answer with another name of the input} */
  WorkerAnswer withInput(String path, String input) {
    return path.equals(input)
        ? this
        : new WorkerAnswer(
            exitCode,
            out.stream().map(line -> ResultText.withInput(line, path, input)).toList(),
            err.stream().map(line -> line.replace(path, input)).toList(),
            seconds);
  }

  /** {@return the answer with the option of the sweep that enlarges the heap} */
  WorkerAnswer withHeapOption() {
    return new WorkerAnswer(
        exitCode,
        out,
        err.stream().map(line -> EXHAUSTED.matcher(line).replaceFirst(HEAP_OPTION)).toList(),
        seconds);
  }

  /** {@return true if the heap of the worker is too small for the command} */
  boolean isOutOfMemory() {
    return exitCode == 1 && err.stream().anyMatch(line -> line.contains(OUT_OF_MEMORY));
  }
}
