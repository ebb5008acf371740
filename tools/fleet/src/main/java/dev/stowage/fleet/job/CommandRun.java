package dev.stowage.fleet.job;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A process that has run the command on some files.
 *
 * @param exitCode its exit code
 * @param results its lines of JSON for each file
 * @param messages the lines of its standard error, without notes
 */
public record CommandRun(int exitCode, Map<String, List<String>> results, List<String> messages) {

  /** The exit code of a wrong command line. */
  public static final int USAGE = 2;

  /** The exit code of a command that has read all files: some are not valid. */
  static final int BAD_INPUT = 3;

  /** The exit code of any other failure. */
  static final int FAILED = 1;

  /** The exit codes after which each file has a result or a message. */
  private static final Set<Integer> COMPLETE = Set.of(0, BAD_INPUT, 4, 5);

  private static final String PREFIX = "stowage: ";

  /**
   * Runs the command and {@return its output}
   *
   * @param task the command
   * @param files the files
   * @throws IOException if the process cannot be started or its output cannot be stored
   * @throws InterruptedException if the thread is interrupted; the process has then ended
   */
  public static CommandRun of(SweepTask task, List<String> files)
      throws IOException, InterruptedException {
    // Files instead of pipes, because reading a pipe cannot be interrupted.
    Path out = Files.createTempFile("stowage-sweep-", ".jsonl");
    Path err = Files.createTempFile("stowage-sweep-", ".txt");
    try {
      Process process =
          new ProcessBuilder(task.commandLine(files))
              .directory(new File(task.folder()))
              .redirectInput(new File("/dev/null"))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      try {
        int exitCode = process.waitFor();
        return new CommandRun(exitCode, results(out), messages(err));
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private static Map<String, List<String>> results(Path out) throws IOException {
    Map<String, List<String>> results = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(out), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String object = line;
        ResultLine.parse(line)
            .ifPresent(
                it -> results.computeIfAbsent(it.input(), input -> new ArrayList<>()).add(object));
      }
    }
    return results;
  }

  private static List<String> messages(Path err) throws IOException {
    String text = new String(Files.readAllBytes(err), StandardCharsets.UTF_8); // maybe cut short
    return text.lines().filter(line -> !line.startsWith(PREFIX + "note: ")).toList();
  }

  /** {@return the message for one of several files; empty if the process did not come to it} */
  Optional<String> message(String file) {
    String prefix = PREFIX + file + ": ";
    return COMPLETE.contains(exitCode)
        ? messages.stream()
            .filter(line -> line.startsWith(prefix))
            .map(line -> line.substring(prefix.length()))
            .findFirst()
        : Optional.empty();
  }

  /** {@return the reason why the only file has no result} */
  String reason(String file) {
    Optional<String> message = message(file);
    if (message.isPresent()) {
      return message.get();
    }
    String end =
        exitCode > 128
            ? String.format(Locale.ROOT, "signal %d ended the process", exitCode - 128)
            : String.format(Locale.ROOT, "the process ended with exit code %d", exitCode);
    Stream<String> last = messages.stream().skip(Math.max(0, messages.size() - 1));
    return end
        + last.map(line -> ": " + line.replaceFirst("^" + PREFIX, "")).findFirst().orElse("");
  }

  /** {@return the exit code of a file: a failure for another reason than the input is graver} */
  int fileCode() {
    return COMPLETE.contains(exitCode) ? exitCode : FAILED;
  }
}
