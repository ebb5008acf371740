package dev.stowage.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of the control group of a process, in which other processes may be, too.
 *
 * @param limitBytes the most bytes of the group; empty if it has no limit
 * @param usedBytes the bytes that count for the limit
 * @param parts the parts of these bytes, such as the page cache; the most important first
 */
public record CgroupMemory(
    OptionalLong limitBytes, long usedBytes, List<OwnedMemory.Detail> parts) {

  /*
   * Version 2 has one line `0::/path` in /proc/PID/cgroup and the files memory.max and memory.current.
   * Version 1 has a line `N:memory:/path`, limit_in_bytes and usage_in_bytes. In a container, the path
   * is that of the host, and the files are in the root of the mounted hierarchy.
   */

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  /** Limits above this are no limits: version 1 has a large number instead. */
  private static final long NO_LIMIT = 1L << 60;

  /** Creates a memory. */
  public CgroupMemory {
    parts = List.copyOf(parts);
  }

  /** {@return the memory of the group; empty if its files are not there} */
  static Optional<CgroupMemory> of(Path process) throws IOException {
    return of(Files.readAllLines(process.resolve("cgroup")), ROOT);
  }

  static Optional<CgroupMemory> of(List<String> lines, Path root) throws IOException {
    for (String line : lines) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[0].equals("0") && fields[1].isEmpty()) {
        Optional<Path> folder = folder(root, fields[2], "memory.current");
        if (folder.isPresent()) {
          return Optional.of(read(folder.get(), "memory.max", "memory.current", "anon"));
        }
      } else if (fields.length == 3 && fields[1].equals("memory")) {
        Optional<Path> folder = folder(root.resolve("memory"), fields[2], "memory.usage_in_bytes");
        if (folder.isPresent()) {
          return Optional.of(
              read(folder.get(), "memory.limit_in_bytes", "memory.usage_in_bytes", "rss"));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> folder(Path root, String path, String file) {
    Path own = root.resolve(path.substring(Math.min(1, path.length())));
    return List.of(own, root).stream()
        .filter(folder -> Files.isRegularFile(folder.resolve(file)))
        .findFirst();
  }

  private static CgroupMemory read(Path folder, String limit, String usage, String anonymous)
      throws IOException {
    String text =
        Files.isRegularFile(folder.resolve(limit))
            ? Files.readString(folder.resolve(limit)).strip()
            : "max";
    long limitBytes = text.equals("max") ? Long.MAX_VALUE : number(text);
    List<String> statistics = Files.readAllLines(folder.resolve("memory.stat"));
    return new CgroupMemory(
        limitBytes < NO_LIMIT ? OptionalLong.of(limitBytes) : OptionalLong.empty(),
        number(Files.readString(folder.resolve(usage)).strip()),
        List.of(
            part("anonymous memory", anonymous, statistics),
            part("page cache", anonymous.equals("anon") ? "file" : "cache", statistics),
            part("slab of the kernel", "slab", statistics),
            part("sockets", "sock", statistics)));
  }

  private static OwnedMemory.Detail part(String title, String name, List<String> statistics) {
    return new OwnedMemory.Detail(
        title,
        statistics.stream()
            .filter(line -> line.startsWith(name + " "))
            .mapToLong(line -> number(line.substring(name.length() + 1).strip()))
            .findFirst()
            .orElse(0));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
