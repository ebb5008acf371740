package dev.stowage.fleet.job;

import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that a sweep runs.
 *
 * @param program the path of the program {@code stowage}; a machine without it takes the one on its
 *     {@code PATH}
 * @param folder the folder in which relative paths begin
 * @param command the command, such as {@code plan}
 * @param options the options of the command
 * @param results the folder of the results, which all machines have under the same path
 */
public record SweepTask(
    String program, String folder, String command, List<String> options, String results)
    implements Serializable {

  /** The start of the names of files with results; unfinished ones have a dot in front. */
  public static final String RESULTS = "results-";

  /** Creates a task. */
  public SweepTask {
    options = List.copyOf(options);
  }

  /** {@return the command line for a batch on this machine} */
  List<String> commandLine(List<String> files) {
    List<String> words = new ArrayList<>();
    words.add(Files.isExecutable(Path.of(program)) ? program : "stowage");
    words.add(command);
    words.addAll(options);
    words.addAll(List.of("--format", "json", "--"));
    words.addAll(files);
    return words;
  }
}
