package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.Holders;
import dev.stowage.trace.explain.PinnedRegion;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.explain.ReplayExplanation.Moment;
import java.util.List;

/** The explanation of a replay: the holders of memory, the holes, and the blocks between them. */
final class ReplayExplanationParts {

  private static final int MAX_PINS = 5;

  private final ReplayExplanation explanation;
  private final Answer answer;

  private ReplayExplanationParts(ReplayExplanation explanation, Answer answer) {
    this.explanation = explanation;
    this.answer = answer;
  }

  /**
   * Adds an explanation.
   *
   * @param report the replay; the answer already has its first failure
   */
  static void add(ReplayExplanation explanation, ReplayReport report, Answer answer) {
    boolean isState = report.details().state().isPresent();
    ReplayExplanationParts explained = new ReplayExplanationParts(explanation, answer);
    explained.addMoment();
    if (!isState) {
      explained.addMomentLines();
    }
    ReservedParts.add(
        explanation.reserved(), explanation.moment().use().reservedBytes(), report, answer);
    explanation
        .holders()
        .forEach((grouping, holders) -> HolderGroups.add(grouping, holders, answer));
    explained.addPins(!isState);
    explanation
        .failure()
        .ifPresent(failure ->
            answer.group(
                "worst_failure",
                group -> WorstFailureParts.add(failure, report.firstFailureEvent(), group)));
  }

  private void addMoment() {
    Moment moment = explanation.moment();
    Holders holders = holders();
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
  }

  private Holders holders() {
    return explanation.holders().values().iterator().next();
  }

  private void addMomentLines() {
    Moment moment = explanation.moment();
    answer
        .line(
            "%nMemory at the %s, %s:",
            explanation.isPeak() ? "peak of requested bytes" : "given moment",
            EventText.text(moment.event()))
        .line(
            "%s requested in %s.",
            ByteUnit.exact(moment.use().requestedBytesInUse()),
            Numbers.count(holders().blocks(), "block"));
  }

  private void addPins(boolean hasEvents) {
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
                    .groups("largest", pin.largest(), BlockRows::add));
    if (pins.isEmpty()) {
      return;
    }
    Facts regions =
        new Facts("PINNED REGIONS", "bytes", "free", "blocks", hasEvents ? "event" : "");
    pins.stream().limit(MAX_PINS).forEach(pin -> addPin(pin, regions));
    answer
        .line(
            "%nBlocks in use keep %s with free bytes from being released.",
            Numbers.count(explanation.pins().count(), "region"))
        .facts(regions);
  }

  private static void addPin(PinnedRegion pin, Facts regions) {
    regions.row(
        "",
        "region " + pin.region(),
        Figure.bytes(pin.bytes()),
        Figure.bytes(pin.freeBytes()),
        Figure.count(pin.blocks()));
    pin.largest()
        .forEach(block -> BlockRows.add("  ", block, regions, Figure.none(), Figure.none()));
  }
}
