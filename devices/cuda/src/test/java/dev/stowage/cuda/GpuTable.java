package dev.stowage.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measured values of this module and of the driver, as Markdown. */
final class GpuTable {

  private final List<String> lines = new ArrayList<>();

  /**
   * Creates a table.
   *
   * @param title the measured quantity and its unit
   * @param ratio the name of the ratio
   */
  GpuTable(String title, String ratio) {
    lines.add("| %s | ours | driver | %s |".formatted(title, ratio));
    lines.add("|---|---|---|---|");
  }

  /** Adds a row. */
  void add(String what, double ours, double driver, double ratio) {
    lines.add(
        String.format(Locale.ROOT, "| %s | %,.2f | %,.2f | %.3f |", what, ours, driver, ratio));
  }

  /** {@return the table} */
  String markdown() {
    return String.join("\n", lines) + "\n";
  }
}
