package dev.stowage.cli.replay;

import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceColumns;
import dev.stowage.trace.explain.TraceDiff;
import dev.stowage.trace.explain.UserLine;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The comparison of two traces.
 *
 * @param isAtPeaks true if each trace is compared at its peak of requested bytes
 * @param diff the difference of the requested bytes in use
 */
public record DiffReport(ComparedTrace a, ComparedTrace b, boolean isAtPeaks, TraceDiff diff) {

  /**
   * {@return the comparison of two traces}
   *
   * @param grouping the key of a group; if empty, the stack if both traces have stacks, otherwise
   *     the tag if both have tags, otherwise the size
   * @param isAtPeaks true if both are compared at their peaks
   */
  public static DiffReport of(
      ComparedTrace a, ComparedTrace b, Optional<Grouping> grouping, boolean isAtPeaks) {
    TraceColumns columnsA = a.columns();
    TraceColumns columnsB = b.columns();
    Grouping by =
        grouping.orElse(
            columnsA.hasStacks() && columnsB.hasStacks()
                ? Grouping.STACK
                : columnsA.hasTags() && columnsB.hasTags() ? Grouping.TAG : Grouping.SIZE);
    return new DiffReport(
        a, b, isAtPeaks, TraceDiff.of(columnsA, a.event(), columnsB, b.event(), by));
  }

  /**
   * {@return the bytes that the second trace reserves more at its peak; empty if the peaks are not
   * compared or not known}
   */
  public OptionalLong reservedGrowthBytes() {
    OptionalLong ofA = a.peakReservedBytes();
    OptionalLong ofB = b.peakReservedBytes();
    return isAtPeaks && ofA.isPresent() && ofB.isPresent()
        ? OptionalLong.of(ofB.getAsLong() - ofA.getAsLong())
        : OptionalLong.empty();
  }

  /**
   * {@return the difference and the group that explains most of the requested bytes, with a full
   * stop}
   */
  public String sentence() {
    if (isNone()) {
      return "No difference: both have the same groups of blocks in use.";
    }
    String requested =
        DifferenceText.sentence(
                a.input(),
                b.input(),
                "requests",
                isAtPeaks ? " at its peak" : " after event " + Numbers.grouped(diff.eventB()),
                diff.bytesA(),
                diff.bytesB())
            + cause()
            + ".";
    return reservedGrowthBytes().isEmpty()
        ? requested
        : DifferenceText.sentence(
                a.input(),
                b.input(),
                "reserves",
                " at its peak",
                a.peakReservedBytes().orElseThrow(),
                b.peakReservedBytes().orElseThrow())
            + ". "
            + requested;
  }

  private String cause() {
    return diff.groups().stream()
        .filter(group ->
            Long.signum(group.growthBytes()) == Long.signum(diff.growthBytes())
                && diff.groups().size() > 1)
        .findFirst()
        .map(group -> DifferenceText.cause(nameOf(group), diff.growthBytes(), group.growthBytes()))
        .orElse("");
  }

  /** {@return the name of a group: its key, a size with its unit, or the line of a stack} */
  private String nameOf(TraceDiff.Group group) {
    if (diff.grouping() == Grouping.SIZE && !group.key().equals(Grouping.OLDER)) {
      return "blocks of " + ByteUnit.exact(Long.parseLong(group.key()));
    }
    return UserLine.of(group.frames()).orElse(group.key());
  }

  /**
   * {@return true if all groups have the same bytes and blocks in both traces, and both reserve the
   * same}
   */
  public boolean isNone() {
    return reservedGrowthBytes().orElse(0) == 0
        && diff.groups().stream()
            .allMatch(group -> group.growthBytes() == 0 && group.blocksA() == group.blocksB());
  }
}
