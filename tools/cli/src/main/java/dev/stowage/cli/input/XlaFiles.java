package dev.stowage.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

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

  String rangesName() {
    return named("-live-range.txt");
  }

  /** {@return the name of the file with the text of the program} */
  String programName() {
    return named(".txt");
  }

  /** {@return the file name that all names begin with, and an end} */
  private String named(String end) {
    String name = String.valueOf(file.getFileName());
    return name.substring(0, name.toLowerCase(Locale.ROOT).lastIndexOf(BUFFERS)) + end;
  }

  XlaLines openBuffers() throws IOException {
    return new XlaLines(source, file);
  }

  /** {@return a file of the program, which gzip may have packed, if it exists} */
  Optional<XlaLines> open(String name) throws IOException {
    for (String either : new String[] {name, name + PACKED}) {
      Path other = file.resolveSibling(either);
      if (Files.isRegularFile(other)) {
        String ownName = String.valueOf(file.getFileName());
        String folder =
            source.endsWith(ownName) ? source.substring(0, source.length() - ownName.length()) : "";
        return Optional.of(new XlaLines(folder + either, other));
      }
    }
    return Optional.empty();
  }
}
