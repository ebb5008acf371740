package dev.stowage.litert;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A temporary folder for the files of a process, which is deleted with them.
 *
 * <p>If a signal ends this process first, the files are deleted then.
 */
final class LiteFolder implements AutoCloseable {

  private final Path path;

  LiteFolder() throws IOException {
    path = Files.createTempDirectory("stowage-litert-");
    path.toFile().deleteOnExit();
  }

  /** {@return the path of a new file, which the caller writes} */
  Path file(String name) {
    Path file = path.resolve(name);
    file.toFile().deleteOnExit(); // before the folder, in the reverse order of these calls
    return file;
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(path);
  }
}
