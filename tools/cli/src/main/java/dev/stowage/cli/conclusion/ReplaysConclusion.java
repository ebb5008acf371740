package dev.stowage.cli.conclusion;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The conclusion of {@code stowage replay} for several replays, of which it keeps the figures. */
public final class ReplaysConclusion {

  /** A replay with a difference of its peaks of reserved and of requested bytes. */
  private record Difference(String input, String allocator, long reserved, long requested) {

    long bytes() {
      return reserved - requested;
    }
  }

  private Optional<Difference> largest = Optional.empty();
  private long count;
  private long failed;

  public void add(ReplayReport report) {
    Difference added =
        new Difference(
            report.input(),
            report.allocator().text(),
            report.result().peakReservedBytes(),
            report.result().peakRequestedBytes());
    if (largest.filter(most -> most.bytes() >= added.bytes()).isEmpty()) {
      largest = Optional.of(added);
    }
    count++;
    failed += report.result().failures() > 0 ? 1 : 0;
  }

  /** {@return the conclusion; empty if there are no replays} */
  public Optional<Conclusion> conclusion() {
    return largest.map(this::conclusion);
  }

  private Conclusion conclusion(Difference most) {
    return new Conclusion(
        ByteUnit.human(most.bytes()),
        String.format(
            Locale.ROOT,
            "%s, replayed with %s, has the largest difference: it reserves %s at the peak for %s that"
                + " the program requests.",
            Printable.of(most.input()),
            most.allocator(),
            ByteUnit.human(most.reserved()),
            ByteUnit.human(most.requested())),
        failed == 0
            ? "No request fails in " + Numbers.count(count, "replay") + "."
            : String.format(
                Locale.ROOT,
                "Requests fail in %s of %s.",
                Numbers.grouped(failed),
                Numbers.count(count, "replay")),
        Optional.of(ShellLine.of("tune", most.input(), List.of())));
  }
}
