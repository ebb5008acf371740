package dev.stowage.cli.run;

import dev.stowage.console.ExitCode;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
      if (isFolder(argument)) {
        files.addFolder(argument);
      } else {
        files.paths.add(argument);
      }
    }
    return files;
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

  private void addFolder(String argument) {
    int exitCodeBefore = exitCode;
    List<String> files = new ArrayList<>();
    try {
      Path folder = Path.of(argument);
      // The walk does not follow links, not even at its start.
      Path start = Files.isSymbolicLink(folder) ? folder.toRealPath() : folder;
      Files.walkFileTree(start, new Visitor(folder, start, files));
    } catch (IOException e) {
      fail(argument, e);
    }
    if (files.isEmpty() && exitCode == exitCodeBefore) {
      fail(argument, new MalformedFileException(argument, "has no files, expected traces"));
    }
    files.sort(null);
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

  /** A collector of the files in a folder. */
  private final class Visitor extends SimpleFileVisitor<Path> {

    private final Path folder;
    private final Path start;
    private final List<String> files;

    Visitor(Path folder, Path start, List<String> files) {
      this.folder = folder;
      this.start = start;
      this.files = files;
    }

    /** {@return the path of a file, beginning with the folder as on the command line} */
    private String named(Path file) {
      return folder.resolve(start.relativize(file)).toString();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
      return !visited.equals(start) && isHidden(visited)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!isHidden(file) && !Files.isDirectory(file)) {
        files.add(named(file));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      fail(named(file), e);
      return FileVisitResult.CONTINUE;
    }

    private static boolean isHidden(Path file) {
      return String.valueOf(file.getFileName()).startsWith(".");
    }
  }
}
