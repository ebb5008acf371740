package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs of a command line: files, and the inputs in folders and their subfolders.
 *
 * <p>In folders, hidden files, links to folders and other files are ignored. The inputs have the
 * order of the command line; the inputs of a folder are sorted by path.
 */
public final class InputPaths {

  private final Diagnostics diagnostics;
  private final Filter filter;
  private final List<String> paths = new ArrayList<>();
  private int exitCode = ExitCode.DONE;

  /** A rule for the files in folders. */
  public interface Filter {

    /** {@return true if a file is an input} */
    boolean accepts(String path) throws IOException;
  }

  private InputPaths(Filter filter, Diagnostics diagnostics) {
    this.filter = filter;
    this.diagnostics = diagnostics;
  }

  /**
   * {@return the inputs of arguments}
   *
   * @param expected the message on a folder without inputs
   * @param diagnostics reports files and folders that cannot be read
   */
  public static InputPaths of(
      List<String> arguments, Filter filter, String expected, Diagnostics diagnostics) {
    InputPaths inputs = new InputPaths(filter, diagnostics);
    for (String argument : arguments) {
      if (!isFolder(argument)) {
        inputs.paths.add(argument);
        continue;
      }
      int exitCodeBefore = inputs.exitCode;
      List<String> found = new ArrayList<>();
      inputs.addFolder(Path.of(argument), found);
      if (found.isEmpty() && inputs.exitCode == exitCodeBefore) {
        inputs.fail(argument, new MalformedFileException(argument, expected));
      }
      found.sort(null);
      inputs.paths.addAll(found);
    }
    return inputs;
  }

  /**
   * {@return true if an argument is a folder}
   *
   * @param argument a path, which need not exist
   */
  public static boolean isFolder(String argument) {
    try {
      return !argument.isEmpty() && Files.isDirectory(Path.of(argument));
    } catch (InvalidPathException e) {
      return false; // reading the file reports the error
    }
  }

  private void addFolder(Path folder, List<String> found) {
    try (Stream<Path> children = Files.list(folder)) {
      for (Path child : children.toList()) {
        if (String.valueOf(child.getFileName()).startsWith(".")) {
          continue;
        }
        if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
          addFolder(child, found);
        } else if (!Files.isDirectory(child)) {
          addFile(child.toString(), found);
        }
      }
    } catch (IOException e) {
      fail(folder.toString(), e);
    }
  }

  private void addFile(String path, List<String> found) {
    try {
      if (filter.accepts(path)) {
        found.add(path);
      }
    } catch (IOException e) {
      fail(path, e);
    }
  }

  private void fail(String path, IOException e) {
    exitCode = ExitCode.graver(exitCode, diagnostics.reportFailure(path, e));
  }

  /** {@return the files, some of which may not exist} */
  public List<String> paths() {
    return List.copyOf(paths);
  }

  /** {@return the exit code for files and folders that cannot be read} */
  public int exitCode() {
    return exitCode;
  }
}
