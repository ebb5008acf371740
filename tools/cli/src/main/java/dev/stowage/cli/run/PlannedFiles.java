package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputReader;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The inputs of a command line: files, and all models and dumps in folders and their subfolders.
 *
 * <p>Other files in folders are ignored. The order is that of the command line, and in a folder
 * that of the paths.
 */
public final class PlannedFiles {

  private final Diagnostics diagnostics;
  private final List<String> paths = new ArrayList<>();
  private int exitCode = ExitCode.DONE;

  private PlannedFiles(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /**
   * {@return the inputs of arguments}
   *
   * @param diagnostics reports files and folders that cannot be read
   */
  public static PlannedFiles of(List<String> arguments, Diagnostics diagnostics) {
    PlannedFiles files = new PlannedFiles(diagnostics);
    for (String argument : arguments) {
      if (FolderFiles.isFolder(argument)) {
        files.addFolder(argument);
      } else {
        files.paths.add(argument);
      }
    }
    return files;
  }

  /** Adds the inputs in a folder, or the folder itself if it has none. */
  private void addFolder(String argument) {
    List<String> files =
        FolderFiles.of(argument, this::fail).stream()
            .filter(InputReader::isFoundInFolders)
            .toList();
    paths.addAll(files.isEmpty() ? List.of(argument) : files);
  }

  /**
   * Checks that an input is no folder.
   *
   * @throws MalformedFileException if it is one, which has no inputs
   */
  public static void checkFile(String path) throws MalformedFileException {
    if (FolderFiles.isFolder(path)) {
      throw new MalformedFileException(
          path,
          "is a folder without models, expected .tflite, .onnx or …-buffer-assignment.txt files; name each .csv and .json file");
    }
  }

  private void fail(String path, IOException e) {
    exitCode = ExitCode.graver(exitCode, diagnostics.reportFailure(path, e));
  }

  /** {@return the files, some of which may not exist, and folders without inputs} */
  public List<String> paths() {
    return List.copyOf(paths);
  }

  /** {@return the exit code for files and folders that cannot be read} */
  public int exitCode() {
    return exitCode;
  }
}
