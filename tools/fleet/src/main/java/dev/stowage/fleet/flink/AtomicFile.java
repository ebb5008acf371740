package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;

/** Writes files that appear completely or not at all, on every file system of Flink. */
final class AtomicFile {

  private AtomicFile() {}

  /** Content of a file. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a file, and replaces an older one. */
  static void write(Path file, Content content) throws IOException {
    try (RecoverableFsDataOutputStream out =
        file.getFileSystem().createRecoverableWriter().open(file)) {
      content.writeTo(out);
      out.closeForCommit().commit();
    }
  }
}
