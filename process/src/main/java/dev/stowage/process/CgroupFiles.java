package dev.stowage.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of the control group of a process. */
final class CgroupFiles {

  /*
   * Version 2 has one line `0::/path` in /proc/PID/cgroup. Version 1 has a line `N:memory:/path`. A
   * container sees the path of the host, but has the files in the root of the mounted hierarchy.
   */

  static final String USED = "memory.current";
  static final String USED_OF_VERSION_1 = "memory.usage_in_bytes";
  static final String LIMIT = "memory.max";
  static final String LIMIT_OF_VERSION_1 = "memory.limit_in_bytes";
  static final String STATISTICS = "memory.stat";

  private static final List<String> FILES =
      List.of(LIMIT, USED, LIMIT_OF_VERSION_1, USED_OF_VERSION_1, STATISTICS);

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private CgroupFiles() {}

  /**
   * {@return the files on memory of the group of a process, by name; empty if the group has none}
   */
  static Map<String, String> read(Path process) throws IOException {
    return read(Files.readAllLines(process.resolve("cgroup")), ROOT);
  }

  static Map<String, String> read(List<String> lines, Path root) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    Optional<Path> folder = folder(lines, root);
    if (folder.isPresent()) {
      for (String name : FILES) {
        Path file = folder.get().resolve(name);
        if (Files.isRegularFile(file)) {
          texts.put(name, Files.readString(file));
        }
      }
      if (texts.containsKey(LIMIT)) {
        texts.put(LIMIT, smallestLimit(folder.get(), root, texts.get(LIMIT)));
      }
    }
    return texts;
  }

  /** {@return the smallest limit of a group of version 2 and of the groups above it} */
  private static String smallestLimit(Path group, Path root, String own) throws IOException {
    String smallest = own;
    for (Path above = group.getParent();
        above != null && above.startsWith(root);
        above = above.getParent()) {
      Path file = above.resolve(LIMIT);
      String limit = Files.isRegularFile(file) ? Files.readString(file).strip() : "";
      if (limit.matches("\\d{1,18}")
          && (!smallest.strip().matches("\\d{1,18}")
              || Long.parseLong(limit) < Long.parseLong(smallest.strip()))) {
        smallest = limit + "\n";
      }
    }
    return smallest;
  }

  private static Optional<Path> folder(List<String> lines, Path root) {
    for (String line : lines) {
      String[] fields = line.split(":", 3);
      Optional<Path> folder = Optional.empty();
      if (fields.length == 3 && fields[0].equals("0") && fields[1].isEmpty()) {
        folder = folder(root, fields[2], USED);
      } else if (fields.length == 3 && fields[1].equals("memory")) {
        folder = folder(root.resolve("memory"), fields[2], USED_OF_VERSION_1);
      }
      if (folder.isPresent()) {
        return folder;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> folder(Path root, String path, String file) {
    // A path of another namespace starts with dots.
    Path own = root.resolve(path.substring(Math.min(1, path.length()))).normalize();
    return List.of(own, root).stream()
        .filter(folder -> folder.startsWith(root))
        .filter(folder -> Files.isRegularFile(folder.resolve(file)))
        .findFirst();
  }
}
