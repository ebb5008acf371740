package dev.stowage.process;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of {@code /proc/PID/smaps}. */
final class Smaps {

  private static final Pattern HEAD =
      Pattern.compile(
          "(\\p{XDigit}{1,16})-(\\p{XDigit}{1,16}) (\\S{4}) \\p{XDigit}+ \\S+ \\d+ *(.*)");
  private static final Pattern RESIDENT = Pattern.compile("Rss: +(\\d{1,12}) kB");

  private Smaps() {}

  /**
   * {@return the mappings, by ascending address}
   *
   * @param text the content of the file
   */
  static List<Mapping> read(String text) {
    List<Mapping> mappings = new ArrayList<>();
    Matcher head = null;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      Matcher next = HEAD.matcher(line);
      if (next.matches()) {
        head = next;
        continue;
      }
      Matcher resident = RESIDENT.matcher(line);
      if (head != null && resident.matches()) {
        mappings.add(
            new Mapping(
                Long.parseUnsignedLong(head.group(1), 16),
                Long.parseUnsignedLong(head.group(2), 16),
                head.group(3),
                head.group(4).strip(),
                Long.parseLong(resident.group(1)) * 1024));
        head = null;
      }
    }
    return mappings;
  }
}
