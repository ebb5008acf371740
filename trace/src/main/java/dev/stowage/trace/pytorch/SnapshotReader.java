package dev.stowage.trace.pytorch;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A reader of memory snapshots of PyTorch.
 *
 * <p>It reads a regular file twice: first it counts how often the pickle takes each value again,
 * and then it keeps a value only as long as it is needed. The snapshot in memory takes about 37
 * bytes for each event.
 */
public final class SnapshotReader {

  private SnapshotReader() {}

  /**
   * {@return the snapshot in a regular file}
   *
   * @param source the name of the file in messages
   * @param file the file
   * @throws MalformedFileException if the file is not a snapshot or is damaged, or if it does not
   *     fit into memory
   * @throws IOException if the file cannot be read
   */
  public static MemorySnapshot read(String source, Path file) throws IOException {
    return read(source, () -> new PickleSource.OfFile(file, Files.size(file)));
  }

  /**
   * {@return a snapshot}
   *
   * <p>The bytes are kept in memory while they are read.
   *
   * @param source the name of the bytes in messages
   * @param in the bytes
   * @throws MalformedFileException if the bytes are not a snapshot or are damaged, or if they do
   *     not fit into memory
   * @throws IOException if the bytes cannot be read
   */
  public static MemorySnapshot read(String source, InputStream in) throws IOException {
    return read(source, () -> new PickleSource.OfBytes(in.readAllBytes()));
  }

  /** Opens a source. */
  private interface Opening {
    PickleSource open() throws IOException;
  }

  private static MemorySnapshot read(String source, Opening opening) throws IOException {
    try {
      SnapshotContents contents = new SnapshotContents();
      Object root = Pickle.read(source, opening.open(), contents);
      return contents.snapshot(source, root);
    } catch (OutOfMemoryError | NegativeArraySizeException e) {
      // An array that cannot double its length any more is as large as the heap.
      MalformedFileException problem =
          new MalformedFileException(source, "is a snapshot that does not fit into memory");
      problem.initCause(e);
      throw problem;
    }
  }
}
