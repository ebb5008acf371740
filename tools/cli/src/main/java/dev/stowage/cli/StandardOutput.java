package dev.stowage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The standard output of this process, as a file. */
final class StandardOutput {

  /*
   * A write fails with a text of the C library alone, which has a language. So a pipe without a reader
   * is recognized by the kind of the file: a write to a pipe fails only if the reader is gone.
   */

  /**
   * The names of the descriptor: the first one is always there on Linux, the second one on macOS.
   */
  private static final List<Path> DESCRIPTORS =
      List.of(Path.of("/proc/self/fd/1"), Path.of("/dev/fd/1"));

  private static final int KIND = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private StandardOutput() {}

  /** {@return the path of the descriptor; empty if the system has no name for it} */
  static Optional<Path> descriptor() {
    return DESCRIPTORS.stream().filter(Files::exists).findFirst();
  }

  /** {@return true if the file is a pipe or a socket, such as the one between two commands} */
  static boolean isPipe(Path file) {
    try {
      int mode = (int) Files.getAttribute(file, "unix:mode");
      return (mode & KIND) == PIPE || (mode & KIND) == SOCKET;
    } catch (IOException _) {
      return false;
    }
  }
}
