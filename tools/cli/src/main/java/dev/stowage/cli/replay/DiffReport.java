package dev.stowage.cli.replay;

import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import dev.stowage.trace.explain.UserLine;
import java.util.function.LongFunction;

/**
 * The comparison of two traces.
 *
 * @param inputA the first file as on the command line
 * @param inputB the second file as on the command line
 * @param isAtPeaks true if each trace is compared at its peak of requested bytes
 * @param diff the difference
 */
public record DiffReport(String inputA, String inputB, boolean isAtPeaks, TraceDiff diff) {

  /** The sentence on two that do not differ. */
  public static final String NONE = "No difference: both have the same groups of blocks in use.";

  /** {@return the difference, such as {@code b.csv holds 1.500 KiB more than a.csv (+12.5 %)}} */
  public String title() {
    return title(ByteUnit::human);
  }

  private String title(LongFunction<String> text) {
    return isNone()
        ? DifferenceText.none(inputA, inputB)
        : DifferenceText.sentence(
            inputA,
            inputB,
            "holds",
            isAtPeaks ? "at its peak" : "after event " + Numbers.grouped(diff.eventB()),
            diff.bytesA(),
            diff.bytesB(),
            text);
  }

  /** {@return the difference and the group that explains most of it, with a full stop} */
  public String sentence() {
    if (isNone()) {
      return NONE;
    }
    String cause =
        diff.groups().stream()
            .filter(group ->
                Long.signum(group.growthBytes()) == Long.signum(diff.growthBytes())
                    && diff.groups().size() > 1)
            .findFirst()
            .map(group ->
                DifferenceText.cause(nameOf(group), diff.growthBytes(), group.growthBytes()))
            .orElse("");
    return title(ByteUnit::sentence) + cause + ".";
  }

  /** {@return the name of a group: its key, a size with its unit, or the line of a stack} */
  private String nameOf(TraceDiff.Group group) {
    if (diff.grouping() == Grouping.SIZE && !group.key().equals(Grouping.OLDER)) {
      return "blocks of " + ByteUnit.exact(Long.parseLong(group.key()));
    }
    return UserLine.of(group.frames()).orElse(group.key());
  }

  /** {@return true if both have the same groups of the same bytes and blocks} */
  public boolean isNone() {
    return diff.groups().stream()
        .allMatch(group -> group.growthBytes() == 0 && group.blocksA() == group.blocksB());
  }
}
