package dev.stowage.cli.rewrite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies of files of any size, with the permissions of the files. */
final class FileCopy {

  private FileCopy() {}

  /** Copies a file to a new one. */
  static void write(Path file, Path copy) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                copy,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                permissions(file))) {
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

  /** {@return the permissions of a file; none if its file system has none} */
  private static FileAttribute<?>[] permissions(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view == null
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(view.readAttributes().permissions())
        };
  }
}
