package dev.stowage.cli.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** A lock on a folder, for commands that read a file there and replace it. */
final class FolderLock {

  /*
   * A command locks a file in the folder. The operating system releases the lock when the process
   * ends, so that no command waits for one that crashed, and a file that is left has no effect. The
   * owner deletes the file before it releases the lock. A command that waited for the lock then has
   * the lock of a deleted file. It therefore compares the file that it opened with the one that has
   * the name now, and tries again if they differ.
   *
   * A lock is that of a process: threads of one process exclude each other with a monitor. A second
   * channel to a locked file would, when it is closed, release the lock of the first one.
   */

  /** The name of the file in the folder. */
  static final String NAME = ".stowage.lock";

  private FolderLock() {}

  /** The work of the owner of a lock. */
  interface Work {
    void run() throws IOException;
  }

  /**
   * Works while no other command or thread does so with the same file. Waits for those that do.
   *
   * @param file the file to lock, which need not exist and is deleted
   * @throws IOException if the file cannot be locked, or the work fails
   */
  static void hold(Path file, Work work) throws IOException {
    synchronized (FolderLock.class) {
      boolean isDone = false;
      while (!isDone) {
        isDone = tryHold(file, work);
      }
    }
  }

  /** {@return false if the file is new, or another command replaced it at the same time} */
  private static boolean tryHold(Path file, Work work) throws IOException {
    Optional<Object> key = key(file);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      if (key.isEmpty() || !key.equals(key(file))) {
        return false; // the channel may be that of another file
      }
      channel.lock();
      if (!key.equals(key(file))) {
        return false;
      }
      try {
        work.run();
      } finally {
        Files.deleteIfExists(file);
      }
      return true;
    }
  }

  /** {@return the device and the number of a file, which no other file has while it is open} */
  private static Optional<Object> key(Path file) throws IOException {
    try {
      return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
