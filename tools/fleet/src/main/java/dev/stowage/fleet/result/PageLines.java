package dev.stowage.fleet.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content of the page of a sweep, in lines that the command {@code stowage sweep-page} reads.
 */
public final class PageLines {

  /** The commands that explain their figures. */
  private static final Set<String> EXPLAINED = Set.of("plan", "replay");

  /** A word that a shell reads as it is. */
  private static final Pattern PLAIN_WORD = Pattern.compile("[\\w./-]+");

  private final SweepSummary summary;
  private final SweepFacts facts;
  private final List<String> lines = new ArrayList<>();

  private PageLines(SweepSummary summary, SweepFacts facts) {
    this.summary = summary;
    this.facts = facts;
  }

  /**
   * {@return the lines}
   *
   * @param summary the summary of the results
   * @param facts the sweep
   * @param cachedCount the number of results of earlier sweeps
   */
  public static List<String> of(SweepSummary summary, SweepFacts facts, long cachedCount) {
    PageLines page = new PageLines(summary, facts);
    page.addConclusion();
    page.addFacts(cachedCount);
    page.addItems();
    page.addFailures();
    return page.lines;
  }

  private void addConclusion() {
    List<ResultRow> items = summary.largest();
    String counts =
        String.format(
            Locale.ROOT,
            "%,d items are done, %,d failed",
            summary.doneCount(),
            summary.failedCount());
    String confidence =
        !facts.isComplete()
            ? "The sweep ended early: items have no result."
            : summary.cutCount() > 0
                ? String.format(Locale.ROOT, "Time limits cut %,d results.", summary.cutCount())
                : "All items were processed, and no time limit cut a result.";
    if (items.isEmpty() || items.get(0).figures().bytes().isEmpty()) {
      add("conclusion", "c " + summary.doneCount(), counts + ".", confidence);
      return;
    }
    String largest = items.get(0).item().key();
    List<String> line = new ArrayList<>(List.of("conclusion"));
    line.add("b " + items.get(0).figures().bytes().getAsLong());
    line.add(largest + " needs the most memory. " + counts + ".");
    line.add(confidence);
    if (PLAIN_WORD.matcher(largest).matches()) {
      line.add(
          "stowage "
              + facts.command()
              + " "
              + largest
              + (EXPLAINED.contains(facts.command()) ? " --explain" : ""));
    }
    add(line.toArray(String[]::new));
  }

  private void addFacts(long cachedCount) {
    add("fact", "command", facts.command());
    add("fact", "options", String.join(" ", facts.options()));
    add("fact", "shard", facts.shard().toString());
    add("fact", "version", "Stowage " + facts.version());
    add("heading", "Sweep of " + facts.command());
    addFigure("Items with a result", summary.doneCount());
    addFigure("Failed items", summary.failedCount());
    if (summary.unfitCount() > 0) {
      addFigure("Items that do not fit", summary.unfitCount());
    }
    if (summary.cutCount() > 0) {
      addFigure("Results cut by time", summary.cutCount());
    }
    if (cachedCount > 0) {
      addFigure("Results of earlier sweeps", cachedCount);
    }
    add("figure", "Time of all items", String.format(Locale.ROOT, "%,.1f s", summary.seconds()));
    if (!facts.isComplete()) {
      add("text", "The sweep ended early: items have no result.");
    }
  }

  private void addFigure(String term, long number) {
    add("figure", term, String.format(Locale.ROOT, "%,d", number));
  }

  private void addItems() {
    List<ResultRow> items = summary.largest();
    if (items.isEmpty()) {
      return;
    }
    add("heading", "Items");
    if (items.size() < summary.doneCount()) {
      add("text", "The page has the " + items.size() + " largest items; results.jsonl has all.");
    }
    List<ResultRow> drawn =
        items.stream().filter(row -> row.figures().bytes().isPresent()).toList();
    if (drawn.size() > 1) {
      addChart(drawn);
    }
    boolean isPlan = facts.command().equals("plan");
    add(
        "table",
        "Items",
        "Item",
        isPlan ? "#Unshared" : "#Before",
        "#Bytes",
        "#Over bound",
        isPlan ? "Strategy" : "Settings",
        "#Seconds",
        "Note");
    for (ResultRow row : items) {
      Figures figures = row.figures();
      add(
          "row",
          "t " + row.item().key(),
          bytes(figures.before()),
          bytes(figures.bytes()),
          excess(figures),
          "t " + figures.choice(),
          "n " + String.format(Locale.ROOT, "%.3f", row.seconds()),
          "t " + note(row));
    }
  }

  private static String note(ResultRow row) {
    List<String> notes = new ArrayList<>();
    if (row.figures().failures() > 0) {
      notes.add(String.format(Locale.ROOT, "%,d failed requests", row.figures().failures()));
    } else if (row.exitCode() != 0) {
      notes.add("does not fit");
    }
    if (row.isCut()) {
      notes.add("cut by time");
    }
    return String.join(", ", notes);
  }

  private void addChart(List<ResultRow> items) {
    List<String> chart = new ArrayList<>(List.of("chart", "items, the largest first"));
    List<String> bytes = new ArrayList<>(List.of("curve", "bytes", "load"));
    List<String> bound = new ArrayList<>(List.of("curve", "lower bound", "bound"));
    boolean hasBound = items.stream().allMatch(row -> row.figures().bound().isPresent());
    for (ResultRow row : items) {
      chart.add(row.item().key());
      bytes.add(Long.toString(row.figures().bytes().orElse(0)));
      bound.add(Long.toString(row.figures().bound().orElse(0)));
    }
    add(chart.toArray(String[]::new));
    add(bytes.toArray(String[]::new));
    if (hasBound) {
      add(bound.toArray(String[]::new));
    }
  }

  private static String bytes(OptionalLong bytes) {
    return bytes.isPresent() ? "b " + bytes.getAsLong() : "";
  }

  private static String excess(Figures figures) {
    boolean isKnown =
        figures.bytes().isPresent()
            && figures.bound().isPresent()
            && figures.bound().getAsLong() > 0;
    if (!isKnown) {
      return "";
    }
    long bytes = figures.bytes().getAsLong();
    long bound = figures.bound().getAsLong();
    return "p " + Math.max(0, (double) (bytes - bound) / bound);
  }

  private void addFailures() {
    List<ResultRow> failed = summary.failed();
    if (failed.isEmpty()) {
      return;
    }
    add("heading", "Failed items");
    if (failed.size() < summary.failedCount()) {
      add("text", "The page has the first " + failed.size() + " of them; results.jsonl has all.");
    }
    add("table", "Failed items", "Item", "#Exit code", "Reason");
    for (ResultRow row : failed) {
      add("row", "t " + row.item().key(), "n " + row.exitCode(), "t " + row.error());
    }
  }

  private void add(String... words) {
    lines.add(ResultLine.array(Arrays.asList(words)));
  }
}
