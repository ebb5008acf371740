package dev.stowage.cli.pasted;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of processes in the kernel's report of a kill; after {@code mm/oom_kill.c}. */
final class PastedProcesses {

  /** The table counts pages, and has the page tables in one column or in bytes. */
  private static final Pattern PROCESS =
      Pattern.compile(
          "\\[ ?(\\d{1,9})\\] \\d+ \\d+ \\d+ (\\d{1,12}) (?:\\d+ )?\\d+ (\\d{1,12}) -?\\d+ (\\S{1,16})$");

  private static final long PAGE_BYTES = 4096;

  private String largest = "";
  private long largestPages;

  /** Reads a line. */
  void read(String line) {
    Matcher row = PROCESS.matcher(line);
    if (!row.find()) {
      return;
    }
    long resident = Long.parseLong(row.group(2));
    long swapped = Long.parseLong(row.group(3));
    if (resident + swapped > largestPages) {
      largestPages = resident + swapped;
      largest =
          Text.of(
              "%s (%s) with %s resident%s",
              row.group(4),
              row.group(1),
              ByteUnit.human(resident * PAGE_BYTES),
              swapped > 0 ? " and " + ByteUnit.human(swapped * PAGE_BYTES) + " in swap" : "");
    }
  }

  /** {@return the largest process with its memory; empty if the texts have no table} */
  Optional<String> largest() {
    return Optional.of(largest).filter(text -> !text.isEmpty());
  }
}
