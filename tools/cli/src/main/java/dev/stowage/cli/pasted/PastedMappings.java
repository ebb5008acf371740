package dev.stowage.cli.pasted;

import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mappings in {@code smaps} and {@code pmap -x}, as lines of {@code smaps}. */
final class PastedMappings {

  private static final Pattern HEAD =
      Pattern.compile("\\p{XDigit}{1,16}-\\p{XDigit}{1,16} [rwxsp-]{4} \\p{XDigit}+ \\S+ \\d+ ?.*");

  private static final Pattern PMAP =
      Pattern.compile(
          "(\\p{XDigit}{8,16}) (\\d{1,15}) (\\d{1,12}) \\d{1,12} ([rwxs-]{3})[rwxsR-]{2} ?(.*)");

  private static final Pattern RESIDENT = Pattern.compile("Rss: \\d{1,15} kB");

  private static final Pattern TOTAL = Pattern.compile("total kB \\d+ \\d+ \\d+");

  private static final long ARENA_KIB = 64 << 10;

  private final List<String> smaps = new ArrayList<>();
  private final List<String> pmap = new ArrayList<>();
  private int arenaCount;
  private long arenaBytes;
  private boolean isWhole;
  private String head = "";
  private boolean isInMapping;
  private boolean isAfterProgram;

  /** Reads a line and {@return true if it belongs to a mapping} */
  boolean read(String line) {
    if (HEAD.matcher(line).matches()) {
      head = line;
      isInMapping = !line.endsWith("[rollup]");
      return isInMapping;
    }
    if (RESIDENT.matcher(line).matches() && !head.isEmpty() && !head.endsWith("[rollup]")) {
      smaps.add(head);
      smaps.add(line);
      head = "";
      return true;
    }
    Matcher mapping = PMAP.matcher(line);
    Matcher all = TOTAL.matcher(line);
    if (mapping.matches()) {
      add(mapping);
    }
    isWhole |= all.matches();
    return mapping.matches() || all.matches();
  }

  private void add(Matcher mapping) {
    long start = Long.parseUnsignedLong(mapping.group(1), 16);
    long resident = Long.parseLong(mapping.group(3));
    // Old kernels give no sizes.
    long kib = Math.max(resident, Long.parseLong(mapping.group(2)));
    String name = mapping.group(5);
    String path = name.equals("[ anon ]") ? "" : name.replace("[ stack ]", "[stack]");
    isAfterProgram |= path.equals("java");
    // The kernel names the first heap of the C library, which follows the program.
    if (path.isEmpty() && isAfterProgram && start >>> 40 >= 0x55 && start >>> 40 <= 0x56) {
      path = "[heap]";
    }
    if (path.isEmpty()
        && start % (ARENA_KIB << 10) == 0
        && resident > ARENA_KIB / 2
        && resident <= ARENA_KIB) {
      arenaCount++;
      arenaBytes += resident << 10;
    }
    pmap.add(
        Text.of(
            "%x-%x %sp 00000000 00:00 0 %s", start, start + (kib << 10), mapping.group(4), path));
    pmap.add("Rss: " + resident + " kB");
  }

  /** {@return true if the last figures describe one mapping, and not all mappings} */
  boolean isInMapping() {
    return isInMapping;
  }

  /** {@return all mappings; none if the texts do not have them} */
  List<String> all() {
    return !smaps.isEmpty() ? smaps : isWhole ? pmap : List.of();
  }

  /** {@return the resident bytes of all mappings} */
  long residentBytes() {
    return all().stream()
        .filter(line -> RESIDENT.matcher(line).matches())
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }

  /** {@return the number of mappings that have the shape of arenas of the C library} */
  int arenaCount() {
    return arenaCount;
  }

  long arenaBytes() {
    return arenaBytes;
  }
}
