package dev.stowage.onnxruntime.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The copies of ONNX Runtime's libraries that its Java classes load, as temporary files. */
public final class LibraryCopies {

  /*
   * The Java classes copy two libraries of 28 MB into a new folder, and register them and then the
   * folder for deletion. The JVM deletes in the reverse order, so that every process leaves its folder,
   * and a killed one also leaves the libraries.
   *
   * Linux keeps the contents of deleted files that are mapped, so the copies can be deleted when they
   * are loaded. A jar with libraries for GPUs copies these, too, and loads them later: then all files
   * stay. /proc/self/maps names the copies of this process; other systems do not have it.
   */

  private static final Path MAPPED = Path.of("/proc/self/maps");

  /** The start of the folder's name. */
  private static final String FOLDER = "onnxruntime-java";

  /** The file that is loaded last. */
  private static final String LAST = "libonnxruntime4j_jni.so";

  /** The only attempt of a process to delete the copies: the initialization of this class. */
  private static final class Attempt {

    static {
      deleteListed(MAPPED);
    }

    private Attempt() {}

    static void make() {}
  }

  private LibraryCopies() {}

  /**
   * Deletes the copies of this process, which has loaded them, if the system keeps their contents.
   */
  public static void delete() {
    Attempt.make();
  }

  /**
   * Deletes the copies that a process has mapped.
   *
   * @param maps the list of its mapped files
   */
  static void deleteListed(Path maps) {
    try {
      Set<Path> copies = copies(maps);
      for (Path copy : copies) {
        Path folder = copy.resolveSibling("");
        if (copy.endsWith(LAST) && copies.containsAll(files(folder))) {
          for (Path file : files(folder)) {
            Files.delete(file);
          }
          Files.delete(folder);
        }
      }
    } catch (IOException _) {
      // The JVM deletes the files when the process exits.
    }
  }

  private static Set<Path> copies(Path maps) throws IOException {
    Set<Path> copies = new HashSet<>();
    for (String line : Files.readAllLines(maps)) {
      int start = line.indexOf('/');
      if (start >= 0 && line.startsWith(FOLDER, 1 + folderStart(line))) {
        copies.add(Path.of(line.substring(start)));
      }
    }
    return copies;
  }

  /** {@return the index of the slash in front of the file's folder; negative if there is none} */
  private static int folderStart(String line) {
    return line.lastIndexOf('/', line.lastIndexOf('/') - 1);
  }

  private static Set<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return Set.copyOf(files.toList());
    }
  }
}
