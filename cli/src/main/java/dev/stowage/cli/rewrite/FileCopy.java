package dev.stowage.cli.rewrite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Copies of files of any size, with the permissions of new files. */
final class FileCopy {

  private FileCopy() {}

  /** Copies a file to a new one. */
  static void write(Path file, Path copy) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(copy, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      long bytes = in.size();
      long done = 0;
      while (done < bytes) {
        long count = in.transferTo(done, bytes - done, out);
        if (count == 0) {
          throw new IOException(file + " became shorter while it was copied");
        }
        done += count;
      }
    }
  }
}
