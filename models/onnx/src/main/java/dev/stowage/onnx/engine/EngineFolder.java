package dev.stowage.onnx.engine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for files of ONNX Runtime, which is deleted with them when it is closed. */
final class EngineFolder implements AutoCloseable {

  private final Path folder;

  /**
   * Creates a folder.
   *
   * @param prefix the start of its name
   */
  EngineFolder(String prefix) throws IOException {
    folder = Files.createTempDirectory(prefix);
  }

  /** {@return a file of the folder} */
  Path resolve(String file) {
    return folder.resolve(file);
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
