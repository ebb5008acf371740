package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.BlockOwner;
import dev.stowage.trace.explain.Holders;
import dev.stowage.trace.explain.Hole;
import dev.stowage.trace.explain.PinnedRegion;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.explain.ReplayExplanation.Moment;
import dev.stowage.trace.explain.WorstFailure;
import java.util.List;

/** The explanation of a replay: the holders of memory, the holes, and the blocks between them. */
final class ReplayExplanationParts {

  private static final int MAX_SHOWN = 5;

  private ReplayExplanationParts() {}

  /**
   * Adds an explanation.
   *
   * @param report the replay; the answer already has its first failure
   */
  static void add(ReplayExplanation explanation, ReplayReport report, Answer answer) {
    addMoment(explanation, report.isState(), answer);
    ReservedParts.add(
        explanation.reserved(), explanation.moment().use().reservedBytes(), report, answer);
    explanation
        .holders()
        .forEach((grouping, holders) -> HolderGroups.add(grouping, holders, answer));
    addPins(explanation, answer);
    explanation
        .failure()
        .ifPresent(
            failure -> answer.group("worst_failure", group -> addFailure(failure, report, group)));
  }

  private static void addMoment(ReplayExplanation explanation, boolean isState, Answer answer) {
    Moment moment = explanation.moment();
    Holders holders = explanation.holders().values().iterator().next();
    answer
        .field("event", moment.event())
        .field("is_peak", explanation.isPeak())
        .field("requested_bytes", moment.use().requestedBytesInUse())
        .field("in_use_bytes", moment.use().bytesInUse())
        .field("reserved_bytes", moment.use().reservedBytes())
        .field("blocks", holders.blocks());
    holders
        .older()
        .ifPresent(
            older -> answer.group("older", group -> HolderGroups.addSums(older, holders, group)));
    if (!isState) {
      answer.line(
          "%nMemory at the %s, %s: %s requested in %s.",
          explanation.isPeak() ? "peak of requested bytes" : "given moment",
          EventText.text(moment.event()),
          ByteUnit.exact(moment.use().requestedBytesInUse()),
          Numbers.count(holders.blocks(), "block"));
    }
  }

  private static void addPins(ReplayExplanation explanation, Answer answer) {
    List<PinnedRegion> pins = explanation.pins().largest();
    answer
        .field("pinned_region_count", explanation.pins().count())
        .groups(
            "pinned_regions",
            pins,
            (pin, group) ->
                group
                    .field("region", pin.region())
                    .field("bytes", pin.bytes())
                    .field("free_bytes", pin.freeBytes())
                    .field("blocks", pin.blocks())
                    .groups("largest", pin.largest(), ReplayExplanationParts::add));
    if (pins.isEmpty()) {
      return;
    }
    Facts regions = new Facts("PINNED REGIONS", "bytes", "free", "blocks");
    for (PinnedRegion pin : pins.stream().limit(MAX_SHOWN).toList()) {
      regions.row(
          "",
          "region " + pin.region(),
          Figure.bytes(pin.bytes()),
          Figure.bytes(pin.freeBytes()),
          Figure.count(pin.blocks()));
      pin.largest()
          .forEach(block -> regions.row("", "  " + block.line(), Figure.bytes(block.bytes())));
    }
    answer
        .line(
            "%nBlocks in use keep %s with free bytes from being released.",
            Numbers.count(explanation.pins().count(), "region"))
        .facts(regions);
  }

  /** Adds a block for programs. */
  private static void add(BlockOwner block, Answer answer) {
    answer
        .field("event", block.event())
        .field("bytes", block.bytes())
        .field("stream", block.stream())
        .field("tag", block.tag())
        .field("line", block.line())
        .field("frames", Figure.texts(block.frames()));
  }

  /** Adds the largest request that failed, and the free memory then. */
  static void addFailure(WorstFailure failure, ReplayReport report, Answer answer) {
    List<Hole> holes = failure.free().holes();
    answer
        .field("event", failure.event())
        .field("bytes", failure.request().bytes())
        .field("stream", failure.request().stream())
        .field("tag", failure.request().tag())
        .field("frames", Figure.texts(failure.request().frames()))
        .field("verdict", failure.verdict().word())
        .field("reason", failure.reason())
        .field("free_bytes", failure.free().bytes())
        .field("hole_count", failure.free().holeCount())
        .groups("holes", holes, ReplayExplanationParts::add)
        .line(
            "%nWORST FAILURE, %s: %s on stream %s, with %s free in %s",
            EventText.text(failure.event()),
            ByteUnit.exact(failure.request().bytes()),
            Long.toUnsignedString(failure.request().stream()),
            ByteUnit.exact(failure.free().bytes()),
            Numbers.count(failure.free().holeCount(), "hole"));
    if (report.firstFailureEvent().orElse(-1) != failure.event()) {
      answer.line("  %s", failure.reason());
    }
    if (!holes.isEmpty()) {
      Facts rows = new Facts("LARGEST HOLES", "bytes", "region", "offset");
      holes.stream().limit(MAX_SHOWN).forEach(hole -> addRows(hole, rows));
      answer.facts(rows);
    }
  }

  private static void add(Hole hole, Answer answer) {
    answer
        .field("region", hole.region())
        .field("offset", hole.offset())
        .field("bytes", hole.bytes())
        .field("owner", hole.owner());
    hole.below().ifPresent(block -> answer.group("below", group -> add(block, group)));
    hole.above().ifPresent(block -> answer.group("above", group -> add(block, group)));
  }

  private static void addRows(Hole hole, Facts rows) {
    rows.row(
        "",
        hole.owner().isEmpty() ? "hole" : "hole of " + hole.owner(),
        Figure.bytes(hole.bytes()),
        Figure.count(hole.region()),
        Figure.count(hole.offset()));
    hole.below().ifPresent(it -> rows.row("", "  below: " + it.line(), Figure.bytes(it.bytes())));
    hole.above().ifPresent(it -> rows.row("", "  above: " + it.line(), Figure.bytes(it.bytes())));
  }
}
