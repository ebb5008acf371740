package dev.stowage.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;

/** A file that is written whole or not at all. */
final class WholeFile {

  /** What writes the file. */
  interface Content {
    void write(Writer out) throws IOException;
  }

  /** As many as Linux follows. */
  private static final int MOST_LINKS = 40;

  private final String path;

  WholeFile(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /**
   * Writes the file.
   *
   * <p>A link is followed: the file that it leads to is replaced or made, not the link. A device or
   * a pipe is written to. A part that is written when the process exits is deleted.
   *
   * @throws IOException if it cannot be written; what was there before is then untouched
   */
  void write(Content content) throws IOException {
    Path named = Path.of(path).toAbsolutePath();
    if (isDevice(named)) {
      try (Writer out = Files.newBufferedWriter(named, StandardOpenOption.WRITE)) {
        content.write(out);
      }
      return;
    }
    Path target = followed(named);
    Path folder = target.getParent();
    if (folder == null || Files.isDirectory(target)) {
      throw new IOException("it is a folder");
    }
    if (Files.notExists(folder)) {
      Path shown = target.equals(named) ? Path.of(path).getParent() : folder;
      throw new IOException("the folder " + shown + " does not exist");
    }
    // Not a temporary file of the JDK's: those no one else may read, and a plan is for others, too.
    Path part = folder.resolve(String.format(Locale.ROOT, ".stowage-%s.part", UUID.randomUUID()));
    part.toFile().deleteOnExit();
    try {
      try (Writer out = Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW)) {
        content.write(out);
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** {@return the target of links, which need not exist} */
  private static Path followed(Path path) throws IOException {
    Path target = path;
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MOST_LINKS) {
        throw new IOException("it is a loop of symbolic links");
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** {@return whether it is {@code /dev/null} or the like, which a new file must not take away} */
  private static boolean isDevice(Path path) {
    return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
  }
}
