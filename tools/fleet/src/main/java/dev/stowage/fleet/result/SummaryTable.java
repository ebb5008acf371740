package dev.stowage.fleet.result;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The summary of a sweep as a table of text. */
public final class SummaryTable {

  private static final int MOST_NAME = 60;
  private static final int MOST_FAILURES = 10;

  /** Control characters, line ends, and characters that change the direction of text. */
  private static final Pattern UNFIT =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

  private final SweepSummary summary;
  private final String command;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates a table.
   *
   * @param summary the summary
   * @param command the command that the items ran
   */
  public SummaryTable(SweepSummary summary, String command) {
    this.summary = summary;
    this.command = command;
  }

  /**
   * Prints the table.
   *
   * @param cachedCount the number of results of earlier sweeps
   * @param out the output
   */
  public void print(long cachedCount, PrintWriter out) {
    printItems(out);
    printFailures(out);
    List<String> parts = new ArrayList<>();
    parts.add(count(summary.doneCount(), "item") + " done");
    addPart(summary.unfitCount(), "do not fit", parts);
    addPart(summary.cutCount(), "cut by time", parts);
    parts.add(summary.failedCount() + " failed");
    addPart(cachedCount, "from the cache", parts);
    out.printf(
        Locale.ROOT,
        "%s; %s s of %s%n",
        String.join(", ", parts),
        String.format(Locale.ROOT, "%,.1f", summary.seconds()),
        command);
  }

  private static void addPart(long number, String text, List<String> parts) {
    if (number > 0) {
      parts.add(String.format(Locale.ROOT, "%,d %s", number, text));
    }
  }

  private void printItems(PrintWriter out) {
    List<ResultRow> items = summary.largest();
    if (items.isEmpty()) {
      return;
    }
    String title =
        items.size() < summary.doneCount()
            ? "THE " + items.size() + " LARGEST OF " + grouped(summary.doneCount())
            : "ITEM";
    boolean hasBefore = items.stream().anyMatch(row -> row.figures().before().isPresent());
    boolean hasBound = items.stream().anyMatch(row -> row.figures().bound().isPresent());
    boolean hasChoice = items.stream().anyMatch(row -> !row.figures().choice().isEmpty());
    List<String> titles = new ArrayList<>();
    titles.add(title);
    if (hasBefore) {
      titles.add(command.equals("tune") ? "before" : "unshared");
    }
    titles.add("bytes");
    titles.add("");
    if (hasBound) {
      titles.add("over bound");
    }
    if (hasChoice) {
      titles.add(command.equals("plan") ? "strategy" : "settings");
    }
    rows.add(titles);
    for (ResultRow item : items) {
      Figures figures = item.figures();
      List<String> row = new ArrayList<>();
      row.add(shortened(printable(item.item().key())));
      if (hasBefore) {
        row.add(human(figures.before()));
      }
      row.add(figures.bytes().isPresent() ? grouped(figures.bytes().getAsLong()) : "-");
      row.add(human(figures.bytes()));
      if (hasBound) {
        row.add(excess(figures));
      }
      if (hasChoice) {
        row.add(figures.choice() + (item.isCut() ? " (cut)" : ""));
      }
      rows.add(row);
    }
    printRows(hasChoice, out);
    out.println();
  }

  private void printRows(boolean hasText, PrintWriter out) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).codePointCount(0, row.get(i).length()));
      }
    }
    // The title of the first column stands above the indented names.
    out.println(line(rows.get(0), widths, 2, hasText));
    for (List<String> row : rows.subList(1, rows.size())) {
      out.println("  " + line(row, widths, 0, hasText));
    }
  }

  /** {@return a row whose cells have the widths of their columns} */
  private static String line(List<String> row, int[] widths, int indent, boolean hasText) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      boolean isText = i == 0 || (hasText && i == widths.length - 1);
      int width = i == 0 ? widths[i] + indent : widths[i];
      String padding = " ".repeat(Math.max(0, width - cell.codePointCount(0, cell.length())));
      line.append(i == 0 ? "" : "  ").append(isText ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }

  private void printFailures(PrintWriter out) {
    if (summary.failedCount() == 0) {
      return;
    }
    List<ResultRow> all = summary.failed();
    List<ResultRow> failed = all.subList(0, Math.min(all.size(), MOST_FAILURES));
    out.println(
        failed.size() < summary.failedCount()
            ? "THE FIRST " + failed.size() + " OF " + grouped(summary.failedCount()) + " FAILURES"
            : "FAILED");
    for (ResultRow row : failed) {
      String reason = printable(row.error().lines().findFirst().orElse(""));
      String prefix = printable(row.item().input()) + ": ";
      String named = reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason;
      out.println("  " + printable(row.item().key()) + ": " + named);
    }
    out.println();
  }

  private static String excess(Figures figures) {
    if (figures.bytes().isEmpty() || figures.bound().isEmpty()) {
      return "-";
    }
    long bytes = figures.bytes().getAsLong();
    long bound = figures.bound().getAsLong();
    if (bytes <= bound) {
      return "0.0 %";
    }
    return bound == 0
        ? "-"
        : String.format(Locale.ROOT, "+%,.1f %%", 100.0 * (bytes - bound) / bound);
  }

  private static String count(long number, String thing) {
    return grouped(number) + " " + thing + (number == 1 ? "" : "s");
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String human(OptionalLong bytes) {
    return bytes.isPresent() ? ByteText.human(bytes.getAsLong()) : "-";
  }

  private static String printable(String text) {
    return UNFIT.matcher(text).replaceAll("?");
  }

  /** {@return the end of a long name, which differs more than its start} */
  private static String shortened(String name) {
    return name.length() <= MOST_NAME ? name : "…" + name.substring(name.length() - MOST_NAME + 1);
  }
}
