package dev.stowage.fleet.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for temporary files of programs that leave some, for example when they are killed. */
public final class ScratchFolder implements AutoCloseable {

  /** A program that is ending can delete files, too, which ends an attempt early. */
  private static final int ATTEMPTS = 10;

  private final Path path;

  private ScratchFolder(Path path) {
    this.path = path;
  }

  /**
   * Creates a folder.
   *
   * @param prefix the start of its name
   */
  public static ScratchFolder create(String prefix) throws IOException {
    return new ScratchFolder(Files.createTempDirectory(prefix));
  }

  /** {@return the folder} */
  public Path path() {
    return path;
  }

  /** Deletes the folder and all files in it, as far as possible. */
  @Override
  public void close() {
    for (int i = 0; i < ATTEMPTS && Files.exists(path); i++) {
      delete();
    }
  }

  private void delete() {
    try (Stream<Path> walk = Files.walk(path)) {
      List<Path> files = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // The system removes temporary files.
    }
  }
}
