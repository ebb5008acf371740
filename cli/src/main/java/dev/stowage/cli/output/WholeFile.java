package dev.stowage.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;

/** A file that is written completely or not at all. */
public final class WholeFile {

  /** The writer of the content. */
  public interface Content {
    /**
     * Writes the content.
     *
     * @param out the file
     * @throws IOException if it cannot be written
     */
    void write(Writer out) throws IOException;
  }

  /** The number of links that Linux follows. */
  private static final int MAX_LINKS = 40;

  private final String path;

  /**
   * Creates the name of a file.
   *
   * @param path the path
   */
  public WholeFile(String path) {
    this.path = path;
  }

  /** {@return the path} */
  public String path() {
    return path;
  }

  /**
   * Writes the file.
   *
   * <p>If the path is a link, its target is replaced or created, and the link stays. Devices and
   * pipes are written to. If the process exits early, the unfinished file is deleted.
   *
   * @param content the content
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void write(Content content) throws IOException {
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
      throw new IOException("it is a folder, expected the name of a file");
    }
    if (Files.notExists(folder)) {
      Path shown = target.equals(named) ? Path.of(path).getParent() : folder;
      throw new IOException("the folder " + shown + " does not exist; create it first");
    }
    // Other users may read a plan, but not a temporary file of the JDK.
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
      if (links == MAX_LINKS) {
        throw new IOException("it is a loop of symbolic links");
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** {@return true for files such as {@code /dev/null}, which must not be replaced} */
  private static boolean isDevice(Path path) {
    return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
  }
}
