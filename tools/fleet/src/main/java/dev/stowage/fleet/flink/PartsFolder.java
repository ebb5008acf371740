package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * The folder of the committed parts of a sweep.
 *
 * <p>A part appears there as a whole, and then its batch is done.
 */
final class PartsFolder implements Serializable {

  private static final long serialVersionUID = 1;

  private final URI folder;

  /**
   * Creates a reference to the folder, which is created with the first part.
   *
   * @param results the folder of the results
   * @param sweep the name of the sweep, which no other sweep has
   */
  PartsFolder(Path results, String sweep) {
    this.folder = new Path(results, "parts-" + sweep).toUri();
  }

  Path path() {
    return new Path(folder);
  }

  Path file(PartName part) {
    return new Path(path(), part.name());
  }

  /**
   * {@return the committed parts, by the number of their batch}
   *
   * <p>A task manager that was given up can still commit a batch that runs again elsewhere. Both
   * parts have the same results, and one of them is taken.
   */
  Map<Integer, PartName> committed() throws IOException {
    Map<Integer, PartName> parts = new TreeMap<>();
    for (String name : names()) {
      PartName.parse(name).ifPresent(part -> parts.put(part.batch(), part));
    }
    return parts;
  }

  private List<String> names() throws IOException {
    FileSystem files = fileSystem();
    if (!files.exists(path())) {
      return List.of();
    }
    if (!files.isDistributedFS()) {
      // LocalFileSystem.listStatus() fails if a file is renamed at the same time, as each part is.
      try (Stream<java.nio.file.Path> list = Files.list(java.nio.file.Path.of(folder))) {
        return list.map(file -> file.getFileName().toString()).toList();
      }
    }
    return Arrays.stream(files.listStatus(path()))
        .map(status -> status.getPath().getName())
        .toList();
  }

  /** Copies a local file to a part, which appears as a whole. */
  void commit(java.nio.file.Path local, PartName part) throws IOException {
    try (InputStream in = Files.newInputStream(local)) {
      AtomicFile.write(file(part), in::transferTo);
    }
  }

  void delete() throws IOException {
    fileSystem().delete(path(), true);
  }

  private FileSystem fileSystem() throws IOException {
    return path().getFileSystem();
  }
}
