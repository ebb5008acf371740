package dev.stowage.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the peers took, as Markdown: a table of ratios to ours and one of nanoseconds. */
final class ComparisonTable {

  private static final String NOTHING = "–";

  private final List<Column> columns = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** A case, and what it took the peers that ran. */
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

  /** What a table shows of a peer in a column. */
  private interface Cell {
    String of(Column column, Peer peer);
  }

  /** Adds a column: what a case took those peers that ran. */
  void addColumn(String title, Map<Peer, Timing> timings) {
    columns.add(new Column(title, Map.copyOf(timings)));
  }

  /** Adds a line below the tables, unless it is there. */
  void addNote(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  /** {@return the tables and the notes} */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("Times as long as ours:\n\n").append(table(Column::ratio));
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

  /** {@return three digits of a number, or all in front of the point} */
  private static String digits(double value) {
    if (value < 9.995) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
    return value < 99.95
        ? String.format(Locale.ROOT, "%.1f", value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }
}
