package dev.stowage.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** The symbolic links on a path. */
final class SymbolicLinks {

  /** As many links as Linux follows. */
  private static final int MAX_LINKS = 40;

  private SymbolicLinks() {}

  /**
   * {@return true if the links of a path, also those of its folders, lead in a circle}
   *
   * <p>The operating system says so only in a text, which has a language.
   */
  static boolean isLoop(Path path) {
    try {
      return hasLoop(path.toAbsolutePath());
    } catch (IOException _) { // a link that has vanished, or that cannot be read
      return false;
    }
  }

  private static boolean hasLoop(Path path) throws IOException {
    Path reached = path.getRoot();
    Deque<Path> names = new ArrayDeque<>();
    path.forEach(names::addLast);
    for (int links = 0; !names.isEmpty(); ) {
      Path next = reached.resolve(names.removeFirst());
      if (!Files.isSymbolicLink(next)) {
        reached = next;
      } else if (links++ == MAX_LINKS) {
        return true;
      } else {
        Path target = Files.readSymbolicLink(next);
        reached = target.isAbsolute() ? target.getRoot() : reached;
        Deque<Path> behind = names;
        names = new ArrayDeque<>();
        target.forEach(names::addLast);
        names.addAll(behind);
      }
    }
    return false;
  }
}
