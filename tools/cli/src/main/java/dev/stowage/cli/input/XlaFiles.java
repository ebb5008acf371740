package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The files of a program in a dump of XLA, which differ in the ends of their names.
 *
 * @param source the file with the buffers, as on the command line
 * @param file the file with the buffers
 */
record XlaFiles(String source, Path file) {

  /** The end of the name of the file with the buffers, without {@code .gz}. */
  static final String BUFFERS = "-buffer-assignment.txt";

  private static final String PACKED = ".gz";

  /** {@return true if a file has buffers, by the end of its name} */
  static boolean isBuffers(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(BUFFERS) || name.endsWith(BUFFERS + PACKED);
  }

  /** {@return the name of the file with the live ranges, without {@code .gz}} */
  String rangesName() {
    String name = String.valueOf(file.getFileName());
    int end = name.toLowerCase(Locale.ROOT).lastIndexOf(BUFFERS);
    return name.substring(0, end) + "-live-range.txt";
  }

  XlaLines openBuffers() throws IOException {
    return new XlaLines(source, file);
  }

  /**
   * Opens the file with the live ranges, which gzip may have packed.
   *
   * @throws MalformedFileException if it does not exist
   */
  XlaLines openRanges() throws IOException {
    String ownName = String.valueOf(file.getFileName());
    for (String name : new String[] {rangesName(), rangesName() + PACKED}) {
      Path other = file.resolveSibling(name);
      if (Files.isRegularFile(other)) {
        return new XlaLines(source.substring(0, source.length() - ownName.length()) + name, other);
      }
    }
    throw new MalformedFileException(
        source,
        "needs the file " + rangesName() + " beside it, which XLA writes to the same folder");
  }
}
