package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The traces of a command line: files, and all traces in folders and their subfolders.
 *
 * <p>In a folder, hidden files and links to folders are ignored, and files that are no traces are
 * skipped. The order is that of the command line, and in a folder that of the paths.
 */
public final class TraceFiles {

  /** The number of skipped files that a note names. */
  private static final int MAX_NAMED = 8;

  private final Diagnostics diagnostics;
  private final TraceOptions options;
  private final List<String> paths = new ArrayList<>();
  private final Set<String> found = new HashSet<>();
  private final List<String> skipped = new ArrayList<>();
  private int exitCode = ExitCode.DONE;

  private TraceFiles(Diagnostics diagnostics, TraceOptions options) {
    this.diagnostics = diagnostics;
    this.options = options;
  }

  /**
   * {@return the traces of arguments}
   *
   * @param options the options with which the traces are read
   * @param diagnostics reports folders that cannot be read
   */
  public static TraceFiles of(
      List<String> arguments, TraceOptions options, Diagnostics diagnostics) {
    TraceFiles files = new TraceFiles(diagnostics, options);
    for (String argument : arguments) {
      if (FolderFiles.isFolder(argument)) {
        files.addFolder(argument);
      } else {
        files.paths.add(argument);
      }
    }
    return files;
  }

  private void addFolder(String argument) {
    int exitCodeBefore = exitCode;
    List<String> files = FolderFiles.of(argument, this::fail);
    if (files.isEmpty() && exitCode == exitCodeBefore) {
      fail(argument, new MalformedFileException(argument, "has no files, expected traces"));
    }
    found.addAll(files);
    paths.addAll(files);
  }

  private void fail(String path, IOException e) {
    exitCode = ExitCode.graver(exitCode, diagnostics.reportFailure(path, e));
  }

  /** {@return the files, some of which may be no traces} */
  public List<String> paths() {
    return List.copyOf(paths);
  }

  /**
   * {@return true if a file is to be read, false if it is skipped because it is from a folder and
   * is no trace}
   */
  public boolean isTrace(String path) throws IOException {
    if (!found.contains(path)) {
      return true;
    }
    Path file = Path.of(path);
    boolean isTrace = Files.isRegularFile(file) && TraceReader.isTrace(file, options);
    if (!isTrace) {
      skipped.add(path);
    }
    return isTrace;
  }

  /** Reports the skipped files in a note and {@return the exit code for the folders} */
  public int end() {
    if (!skipped.isEmpty()) {
      diagnostics.report(
          "note: skipped files that are no traces: %s%s",
          String.join(", ", skipped.subList(0, Math.min(skipped.size(), MAX_NAMED))),
          skipped.size() > MAX_NAMED ? " and " + (skipped.size() - MAX_NAMED) + " more" : "");
    }
    return exitCode;
  }
}
