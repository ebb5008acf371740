package dev.stowage.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The times of allocators in Markdown: a table of ratios to Stowage and a table of nanoseconds. */
final class ComparisonTable {

  private static final String NOTHING = "–";

  private final List<Column> columns = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** A workload and the times of the allocators that ran it. */
  private record Column(String title, Map<Peer, Timing> timings) {

    String ratio(Peer peer) {
      Optional<Timing> ours = timing(Peer.STOWAGE);
      return timing(peer)
          .flatMap(theirs -> ours.map(our -> theirs.leastNanos() / our.leastNanos()))
          .map(ComparisonTable::digits)
          .orElse(NOTHING);
    }

    String nanos(Peer peer) {
      return timing(peer)
          .map(timing ->
              String.format(
                  Locale.ROOT,
                  "%s (%s)",
                  digits(timing.leastNanos()),
                  digits(timing.medianNanos())))
          .orElse(NOTHING);
    }

    private Optional<Timing> timing(Peer peer) {
      return Optional.ofNullable(timings.get(peer));
    }
  }

  /** The text of a cell. */
  private interface Cell {
    String of(Column column, Peer peer);
  }

  /** Adds the times of a workload. */
  void addColumn(String title, Map<Peer, Timing> timings) {
    columns.add(new Column(title, Map.copyOf(timings)));
  }

  /** Adds a line below the tables, unless they have it. */
  void addNote(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  /** {@return the tables and the notes} */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("Time as a multiple of Stowage's:\n\n").append(table(Column::ratio));
    text.append("\nNanoseconds, in the fastest iteration (in the median one):\n\n")
        .append(table(Column::nanos));
    text.append(notes.isEmpty() ? "" : "\n");
    notes.forEach(note -> text.append("- ").append(note).append('\n'));
    return text.toString();
  }

  private String table(Cell cell) {
    StringBuilder text = new StringBuilder("| |");
    columns.forEach(column -> text.append(' ').append(column.title()).append(" |"));
    text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
    for (Peer peer : Peer.values()) {
      if (columns.stream().anyMatch(column -> column.timings().containsKey(peer))) {
        text.append("| ").append(peer.title()).append(" |");
        columns.forEach(column -> text.append(' ').append(cell.of(column, peer)).append(" |"));
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** {@return a number with three digits, or without a fraction if it has more} */
  private static String digits(double value) {
    if (value < 9.995) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
    return value < 99.95
        ? String.format(Locale.ROOT, "%.1f", value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }
}
