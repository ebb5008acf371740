package dev.stowage.trace.format;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The reports of a log. One thread writes each of them. */
final class XlaReports {

  private static final String STATISTICS = "Stats";
  private static final String UNNEEDED = "The caller indicates that this is not a failure";

  /** The last report of each thread. */
  private final Map<String, XlaReport> last = new HashMap<>();

  /** A report of each allocator: the first one on a request that is needed, if it is complete. */
  private final Map<String, XlaReport> first = new HashMap<>();

  /** The number of reports of each allocator. */
  private final Map<String, Integer> counts = new HashMap<>();

  /** The report to which the next statistics belong. */
  private Optional<XlaReport> latest = Optional.empty();

  /** The first half of a line with a chunk. */
  private record Half(String thread, String message, String place) {}

  private Optional<Half> half = Optional.empty();

  private final String allocator;

  /**
   * Creates reports.
   *
   * @param allocator the allocator to which reports without a first line belong
   */
  XlaReports(String allocator) {
    this.allocator = allocator;
  }

  /** Reads a message, which need not be part of a report. */
  void read(String thread, String message, String place) {
    half.ifPresent(first -> readWhole(first.thread(), first.message(), first.place()));
    half =
        XlaReport.isHalf(message)
            ? Optional.of(new Half(thread, message, place))
            : Optional.empty();
    if (half.isEmpty()) {
      readWhole(thread, message, place);
    }
  }

  /** Reads a line without the name of a file, which may be the rest of the message before it. */
  void readRest(String text) {
    half.ifPresent(first ->
        readWhole(first.thread(), first.message().stripTrailing() + " " + text, first.place()));
    half = Optional.empty();
  }

  private void readWhole(String thread, String message, String place) {
    Optional<XlaReport> started = XlaReport.startedBy(message, place);
    if (started.isPresent()) {
      start(thread, started.get());
      return;
    }
    XlaReport open = last.get(thread);
    if (open == null) {
      Optional<XlaReport> continued = XlaReport.continuedBy(message, allocator, place);
      if (continued.isEmpty()) {
        return;
      }
      open = continued.get();
      last.put(thread, open);
      latest = Optional.of(open);
      first.putIfAbsent(allocator, open);
    }
    if (message.contains(UNNEEDED)) {
      open.setOptional();
    } else if (message.startsWith(STATISTICS)) {
      latest = Optional.of(open);
    } else {
      open.read(message, place);
    }
  }

  private void start(String thread, XlaReport report) {
    last.put(thread, report);
    latest = Optional.of(report);
    counts.merge(report.allocator(), 1, Integer::sum);
    first.merge(
        report.allocator(),
        report,
        (before, now) ->
            !before.isPart() && before.isNeeded() && before.damage().isEmpty() ? before : now);
  }

  /** Adds a statistic. Its line does not name a thread, but follows a line of the same thread. */
  void setStatistic(String name, long bytes) {
    latest.ifPresent(report -> report.setStatistic(name, bytes));
  }

  /** {@return the report of an allocator that a thread has written since the last call} */
  Optional<XlaReport> take(String thread, String allocator) {
    return Optional.ofNullable(last.remove(thread))
        .filter(report -> !report.isPart() && report.allocator().equals(allocator));
  }

  /** {@return the names of the allocators with reports} */
  Set<String> allocators() {
    return Collections.unmodifiableSet(counts.keySet());
  }

  /**
   * {@return the first complete report of an allocator on a request that its program needs, or else
   * the last one}
   */
  Optional<XlaReport> first(String allocator) {
    return Optional.ofNullable(first.get(allocator));
  }

  /** {@return a sentence in the form of a note} */
  private static String asNote(String sentence) {
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT)
        + sentence.substring(1, sentence.length() - 1);
  }

  /** Adds the notes on a report that is read. */
  void noteOn(XlaReport report, CheckedEvents events) {
    int count = counts.getOrDefault(report.allocator(), 0);
    if (count > 1) {
      events.note(
          String.format(
              Locale.ROOT,
              "the log has %d reports on failed requests; the one at %s was read",
              count,
              report.place()));
    }
    events.note(
        "a report has chunks, not requests: each chunk in use counts as a request of its size, and the"
            + " size of the failed request is rounded");
    if (report.request().isWrapped()) {
      events.note(
          String.format(
              Locale.ROOT,
              "the size of the request, %s, wrapped around when it was rounded; it counts as 2^63 - 1"
                  + " bytes",
              report.request().text()));
    }
    if (report.otherEndBytes() > 0) {
      events.note(
          String.format(
              Locale.ROOT,
              "free chunks of the other end, which the request cannot use, count as in use: %,d"
                  + " bytes",
              report.otherEndBytes()));
    }
    report.memory().doubts().forEach(doubt -> events.note(asNote(doubt)));
  }
}
