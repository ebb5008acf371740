package dev.stowage.cli.run;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The files in a folder and its subfolders, without hidden files and links to folders. */
public final class FolderFiles {

  /** A listener for files and folders that cannot be read. */
  interface Failures {

    /** Receives a path that cannot be read, as on the command line. */
    void failed(String path, IOException reason);
  }

  private FolderFiles() {}

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

  /**
   * {@return the paths of the files, sorted}
   *
   * @param argument the folder as on the command line, with which the paths begin
   */
  static List<String> of(String argument, Failures failures) {
    List<String> files = new ArrayList<>();
    try {
      Path folder = Path.of(argument);
      // The walk does not follow links, not even at its start.
      Path start = Files.isSymbolicLink(folder) ? folder.toRealPath() : folder;
      Files.walkFileTree(start, new Visitor(folder, start, files, failures));
    } catch (IOException e) {
      failures.failed(argument, e);
    }
    files.sort(null);
    return files;
  }

  /** A collector of the files. */
  private static final class Visitor extends SimpleFileVisitor<Path> {

    private final Path folder;
    private final Path start;
    private final List<String> files;
    private final Failures failures;

    Visitor(Path folder, Path start, List<String> files, Failures failures) {
      this.folder = folder;
      this.start = start;
      this.files = files;
      this.failures = failures;
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
      failures.failed(named(file), e);
      return FileVisitResult.CONTINUE;
    }

    private static boolean isHidden(Path file) {
      return String.valueOf(file.getFileName()).startsWith(".");
    }
  }
}
