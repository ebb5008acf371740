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

  /** A moment with its names for programs and people. */
  private record Named(String name, String label, Moment moment) {}

  private final ReplayExplanation explanation;
  private final Answer answer;

  private ReplayExplanationParts(ReplayExplanation explanation, Answer answer) {
    this.explanation = explanation;
    this.answer = answer;
  }

  /**
   * Adds an explanation.
   *
   * @param report the replay, whose first failure is in the answer already
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
    explained.addFragmentation(!isState);
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

  /** Adds the fragmentation; as a table if there are several moments. */
  private void addFragmentation(boolean hasTable) {
    List<Named> moments =
        List.of(
            new Named("at_event", "then", explanation.moment()),
            new Named("at_maximum", "most external", explanation.worst().mostFragmented()),
            new Named("at_most_scattered", "most scattered", explanation.worst().mostScattered()));
    answer.group("fragmentation", group -> moments.forEach(moment -> addUse(moment, group)));
    if (hasTable) {
      answer.table(
          Table.shown(moments)
              .text("", "FRAGMENTATION", Named::label)
              .shown("external", it -> new Figure.Share(it.moment().use().externalFragmentation()))
              .shown("internal", it -> new Figure.Share(it.moment().use().internalFragmentation()))
              .count("", "free bytes", it -> it.moment().use().freeBytes())
              .count("", "largest free", it -> it.moment().use().largestFreeBytes())
              .count("", "event", it -> it.moment().event()));
    }
  }

  private static void addUse(Named named, Answer group) {
    group.group(
        named.name(),
        use ->
            use.field("event", named.moment().event())
                .field("external", new Figure.Share(named.moment().use().externalFragmentation()))
                .field("internal", new Figure.Share(named.moment().use().internalFragmentation()))
                .field("free_bytes", named.moment().use().freeBytes())
                .field("largest_free_bytes", named.moment().use().largestFreeBytes()));
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
    if (pin.blocks() > pin.largest().size()) {
      regions.row(
          "", "  and " + Numbers.count(pin.blocks() - pin.largest().size(), "smaller block"));
    }
  }
}
