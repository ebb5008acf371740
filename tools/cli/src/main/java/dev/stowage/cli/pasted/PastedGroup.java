package dev.stowage.cli.pasted;

import dev.stowage.pages.text.ByteUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statistics of a control group and the table of processes in the kernel's report of a kill.
 *
 * <p>After {@code mm/memcontrol.c} and {@code mm/oom_kill.c}.
 */
final class PastedGroup {

  /** The kernel's parts contain each other, besides these. */
  private static final Map<String, String> TITLES =
      Map.of(
          "anon", "anonymous memory",
          "rss", "anonymous memory",
          "file", "page cache",
          "cache", "page cache",
          "kernel", "memory of the kernel",
          "swap", "swap");

  private static final Pattern VERSION_1 = Pattern.compile("\\b(cache|rss|swap):(\\d{1,15})KB");
  private static final Pattern VERSION_2 =
      Pattern.compile("(?:^|[\\]:] )(anon|file|kernel) (\\d{1,18})$");

  /** The table counts pages, and has the page tables in one column or in bytes. */
  private static final Pattern PROCESS =
      Pattern.compile(
          "\\[ ?(\\d{1,9})\\] \\d+ \\d+ \\d+ (\\d{1,12}) (?:\\d+ )?\\d+ (\\d{1,12}) -?\\d+ (\\S{1,16})$");

  private static final long PAGE_BYTES = 4096;

  private final Map<String, Long> parts = new LinkedHashMap<>();
  private String process = "";
  private long processPages;

  /** Reads a line. */
  void read(String line) {
    if (line.contains("Memory cgroup stats")) {
      parts.clear();
      add(VERSION_1.matcher(line), 10);
    }
    add(VERSION_2.matcher(line), 0);
    Matcher row = PROCESS.matcher(line);
    if (row.find()) {
      long resident = Long.parseLong(row.group(2));
      long swapped = Long.parseLong(row.group(3));
      if (resident + swapped > processPages) {
        processPages = resident + swapped;
        process =
            "The largest process of the table is "
                + row.group(4)
                + " ("
                + row.group(1)
                + ") with "
                + ByteUnit.human(resident * PAGE_BYTES)
                + " resident"
                + (swapped > 0 ? " and " + ByteUnit.human(swapped * PAGE_BYTES) + " in swap" : "")
                + ".";
      }
    }
  }

  private void add(Matcher part, int shift) {
    while (part.find()) {
      long bytes = Long.parseLong(part.group(2)) << shift;
      parts.put(TITLES.getOrDefault(part.group(1), part.group(1)), bytes);
    }
  }

  /** {@return sentences on the group and its largest process; empty if the text has neither} */
  String sentences() {
    String group =
        parts.entrySet().stream()
            .filter(part -> part.getValue() > 0)
            .map(part -> ByteUnit.human(part.getValue()) + " of " + part.getKey())
            .collect(Collectors.joining(", "));
    return (group.isEmpty() ? "" : "The group has " + group + ". ") + process;
  }
}
