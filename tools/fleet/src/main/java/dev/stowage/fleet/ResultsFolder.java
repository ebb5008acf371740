package dev.stowage.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The folder of results, or a temporary one if the user names none. */
final class ResultsFolder implements AutoCloseable {

  private static final String WORK = ".sweep-";

  private final Optional<Path> named;
  private Optional<Path> work = Optional.empty();

  private ResultsFolder(Optional<Path> named) {
    this.named = named;
  }

  /**
   * {@return the folder of an option}
   *
   * @param option the option
   * @param isCluster true if task managers on other machines write to the folder
   * @throws ParameterException if the folder is a file, or is missing for a cluster
   */
  static ResultsFolder of(Optional<String> option, boolean isCluster, CommandSpec spec) {
    if (option.isEmpty()) {
      if (isCluster) {
        throw new ParameterException(
            spec.commandLine(),
            "--cluster needs --results, a folder that all machines of the cluster have");
      }
      return new ResultsFolder(Optional.empty());
    }
    checkScheme("--results", option.get(), spec);
    try {
      Path folder = Path.of(option.get());
      if (option.get().isEmpty() || (Files.exists(folder) && !Files.isDirectory(folder))) {
        throw new ParameterException(
            spec.commandLine(), "--results is '" + option.get() + "', expected a folder");
      }
      return new ResultsFolder(Optional.of(folder));
    } catch (InvalidPathException e) {
      throw new ParameterException(
          spec.commandLine(), "--results is not the path of a folder: " + e.getReason());
    }
  }

  /** Checks that a folder is not on a file system that only Flink can write to. */
  static void checkScheme(String option, String folder, CommandSpec spec) {
    if (folder.matches("(?s)[a-zA-Z][a-zA-Z0-9+.-]+://.*")) {
      throw new ParameterException(
          spec.commandLine(),
          option
              + " is '"
              + folder
              + "', expected the path of a folder, for example of a mounted file system");
    }
  }

  /** {@return the folder that the user names} */
  Optional<Path> named() {
    return named;
  }

  /** {@return the folder of intermediate files, which {@link #close} deletes} */
  Path work() throws IOException {
    if (work.isEmpty()) {
      work =
          Optional.of(
              named.isPresent()
                  ? Files.createTempDirectory(Files.createDirectories(named.get()), WORK)
                  : Files.createTempDirectory("stowage-sweep-"));
    }
    return work.get().toAbsolutePath();
  }

  @Override
  public void close() throws IOException {
    if (work.isEmpty() || Files.notExists(work.get())) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(work.get())) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
