package dev.stowage.litert;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary folder for the files of a process, which is deleted with them. */
final class LiteFolder implements AutoCloseable {

  private final Path path;

  LiteFolder() throws IOException {
    path = Files.createTempDirectory("stowage-litert-");
    path.toFile().deleteOnExit(); // if a signal ends the command, the folder is empty in most cases
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(path);
  }
}
