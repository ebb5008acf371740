package dev.stowage.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The files of a sweep: the named files, and in named folders the files for the command. */
final class InputFiles {

  private static final List<String> PROBLEMS =
      List.of(".tflite", ".onnx", ".csv", ".json", "-buffer-assignment.txt");
  private static final List<String> TRACES =
      List.of(".csv", ".json", ".pickle", ".log", ".jfr", ".zip");

  private InputFiles() {}

  /** The commands that a sweep can run. */
  enum Command {
    plan(PROBLEMS),
    replay(TRACES),
    tune(TRACES),
    budget(List.of(".onnx"));

    @SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable
    private final List<String> ends;

    Command(List<String> ends) {
      this.ends = ends;
    }

    private boolean isRead(Path file) {
      String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
      String unpacked = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
      return !name.startsWith(".") && ends.stream().anyMatch(unpacked::endsWith);
    }
  }

  /**
   * {@return the files, each of them once}
   *
   * @param inputs files and folders; a file that does not exist is a failure of the sweep's item
   * @param command the command
   * @throws IOException if a folder cannot be read
   */
  static List<String> of(List<String> inputs, Command command) throws IOException {
    Set<String> files = new LinkedHashSet<>();
    for (String input : inputs) {
      files.addAll(paths(input, command));
    }
    return List.copyOf(files);
  }

  private static List<String> paths(String input, Command command) throws IOException {
    Path path = Path.of(input);
    if (!Files.isDirectory(path)) {
      return List.of(input);
    }
    try (Stream<Path> walk = Files.walk(path)) {
      return walk.filter(file -> command.isRead(file) && Files.isRegularFile(file))
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }
}
