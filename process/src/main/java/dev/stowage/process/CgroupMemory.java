package dev.stowage.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of the control group of a process. Other processes may be in the group, too.
 *
 * @param limitBytes the most bytes of the group; empty if it has no limit
 * @param usedBytes the bytes that count for the limit
 * @param parts the parts of these bytes, such as the page cache; the most important first
 */
public record CgroupMemory(
    OptionalLong limitBytes, long usedBytes, List<OwnedMemory.Detail> parts) {

  /** A larger limit is no limit: without one, version 1 has a very large number. */
  private static final long NO_LIMIT = 1L << 60;

  /** Copies the parts. */
  public CgroupMemory {
    parts = List.copyOf(parts);
  }

  /**
   * {@return the memory of the group of this process; empty if it is not known; takes some hundred
   * microseconds}
   */
  public static Optional<CgroupMemory> own() {
    try {
      return of(new ProcessDump(CgroupFiles.read(Path.of("/proc/self"))));
    } catch (IOException otherSystem) {
      return Optional.empty();
    }
  }

  /** {@return the memory of the group in a dump; empty if the dump does not have it} */
  static Optional<CgroupMemory> of(ProcessDump dump) {
    return dump.section(CgroupFiles.USED).matches("\\d+\\s*")
        ? Optional.of(read(dump, CgroupFiles.LIMIT, CgroupFiles.USED, "anon", "file"))
        : dump.section(CgroupFiles.USED_OF_VERSION_1).matches("\\d+\\s*")
            ? Optional.of(
                read(
                    dump,
                    CgroupFiles.LIMIT_OF_VERSION_1,
                    CgroupFiles.USED_OF_VERSION_1,
                    "total_rss",
                    "total_cache"))
            : Optional.empty();
  }

  private static CgroupMemory read(
      ProcessDump dump, String limit, String used, String anonymous, String cache) {
    List<String> statistics = dump.section(CgroupFiles.STATISTICS).lines().toList();
    // The root group has no file with a limit.
    String text = dump.section(limit).strip();
    long ownBytes = text.matches("\\d+") ? number(text) : Long.MAX_VALUE;
    // In version 1, this statistic is the smallest limit of the group and its parents.
    long limitBytes =
        Math.min(
            ownBytes, statistic("hierarchical_memory_limit", statistics).orElse(Long.MAX_VALUE));
    List<OwnedMemory.Detail> parts = new ArrayList<>();
    addPart("anonymous memory", statistic(anonymous, statistics), parts);
    addPart("page cache", statistic(cache, statistics), parts);
    addPart("slab of the kernel", statistic("slab", statistics), parts);
    addPart("sockets", statistic("sock", statistics), parts);
    return new CgroupMemory(
        limitBytes < NO_LIMIT ? OptionalLong.of(limitBytes) : OptionalLong.empty(),
        number(dump.section(used).strip()),
        parts);
  }

  private static void addPart(String title, OptionalLong bytes, List<OwnedMemory.Detail> parts) {
    if (bytes.isPresent()) {
      parts.add(new OwnedMemory.Detail(title, bytes.getAsLong()));
    }
  }

  private static OptionalLong statistic(String name, List<String> statistics) {
    return statistics.stream()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> number(line.substring(name.length() + 1).strip()))
        .findFirst();
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return NO_LIMIT;
    }
  }
}
