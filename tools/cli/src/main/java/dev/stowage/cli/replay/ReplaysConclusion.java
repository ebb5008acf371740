package dev.stowage.cli.replay;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.List;
import java.util.Optional;

/** The conclusion of {@code stowage replay} for several replays, of which it keeps the figures. */
public final class ReplaysConclusion {

  /**
   * A replay.
   *
   * @param name the trace and the allocator, in a sentence
   */
  private record Replayed(String input, String name, long reserved, long requested) {

    static Replayed of(ReplayReport report) {
      return new Replayed(
          report.input(),
          Printable.of(report.input()) + ", replayed with " + report.allocator().text(),
          report.result().peakReservedBytes(),
          report.result().peakRequestedBytes());
    }

    long difference() {
      return reserved - requested;
    }

    String sentence() {
      return Text.of(
          "%s, has the largest difference: it reserves %s at the peak for %s that the program"
              + " requests.",
          name, ByteUnit.human(reserved), ByteUnit.human(requested));
    }
  }

  private Optional<Replayed> largest = Optional.empty();
  private Optional<Replayed> firstFailed = Optional.empty();
  private long count;
  private long failed;
  private long failures;

  public void add(ReplayReport report) {
    Replayed added = Replayed.of(report);
    count++;
    if (largest.filter(most -> most.difference() >= added.difference()).isEmpty()) {
      largest = Optional.of(added);
    }
    if (report.result().failures() > 0) {
      firstFailed = firstFailed.or(() -> Optional.of(added));
      failed++;
      failures += report.result().failures();
    }
  }

  /** {@return the conclusion; empty if there are no replays} */
  public Optional<Conclusion> conclusion() {
    return largest.map(
        most -> firstFailed.map(first -> failed(first, most)).orElseGet(() -> passed(most)));
  }

  private Conclusion failed(Replayed first, Replayed most) {
    return new Conclusion(
        Numbers.count(failures, "failed request"),
        Text.of(
            "Requests fail in %s of %s, first in %s.",
            Numbers.grouped(failed), Numbers.count(count, "replay"), first.name()),
        most.sentence(),
        tune(first));
  }

  private Conclusion passed(Replayed most) {
    return new Conclusion(
        ByteUnit.human(most.difference()),
        most.sentence(),
        "No request fails in " + Numbers.count(count, "replay") + ".",
        tune(most));
  }

  private static Optional<String> tune(Replayed replayed) {
    return Optional.of(ShellLine.of("tune", replayed.input(), List.of()));
  }
}
