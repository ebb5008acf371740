package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import java.util.List;

/** A sentence with the reason why no plan fits. */
final class ExplanationText {

  private final List<TensorUsageRecord> records;
  private final InputFile file;
  private final CapacityConflict conflict;

  private ExplanationText(PlanInput.Tensors input, CapacityConflict conflict) {
    records = input.problem().withoutUnusedGaps().records();
    this.file = input.file();
    this.conflict = conflict;
  }

  /** {@return a sentence such as {@code at task 51, 3 live tensors need 120 bytes}} */
  static String of(Explanation explanation, PlanInput.Tensors input) {
    return explanation
        .conflict()
        .map(conflict -> new ExplanationText(input, conflict).sentence())
        .orElse("not proved; no tensors that cannot fit together were found");
  }

  /** {@return the value of {@code reason} in JSON} */
  static String reason(CapacityConflict conflict) {
    return switch (conflict.reason()) {
      case Reason.LiveBytes live -> "live_bytes";
      case Reason.RecordEnd() -> "record_end";
      case Reason.Padding padding -> "alignment_padding";
      case Reason.Pins pins -> "pins";
      case Reason.NoPlacement search -> "no_placement";
    };
  }

  private String sentence() {
    return switch (conflict.reason()) {
      case Reason.LiveBytes live ->
          Text.of(
              "at %s, %s %s",
              file.nameOf(live.task()), needing("live tensor"), bytes(live.isExact()));
      case Reason.RecordEnd() -> end(record(conflict.records().getFirst()));
      case Reason.Padding padding ->
          Text.of(
              "at %s, %s %s with padding, because their offsets are multiples of %s",
              file.nameOf(padding.task()),
              needing("live tensor"),
              bytes(padding.isExact()),
              Numbers.grouped(padding.alignmentBytes()));
      case Reason.Pins pins ->
          Text.of(
              "%s and a tensor of %s have no room; together they need %s",
              Numbers.count(conflict.records().size() - 1L, "pinned tensor"),
              Numbers.count(record(pins.blocked()).bytes(), "byte"),
              bytes(pins.isExact()));
      case Reason.NoPlacement search ->
          Text.of(
              "no placement of these %s fits (exhaustive search); they need %s",
              Numbers.count(conflict.records().size(), "tensor"), bytes(search.isExact()));
    };
  }

  private String needing(String thing) {
    int count = conflict.records().size();
    return Numbers.count(count, thing) + (count == 1 ? " needs" : " need");
  }

  private String bytes(boolean isExact) {
    return (isExact ? "" : "at least ") + Numbers.count(conflict.leastBytes(), "byte");
  }

  private static String end(TensorUsageRecord record) {
    String bytes = Numbers.count(record.bytes(), "byte");
    return record.pinnedOffset().isPresent()
        ? Text.of(
            "1 tensor of %s is pinned to offset %s, so that the arena needs %s",
            bytes,
            Numbers.grouped(record.pinnedOffset().getAsLong()),
            Numbers.count(record.pinnedOffset().getAsLong() + record.bytes(), "byte"))
        : Text.of("1 tensor has %s, although it never needs all of them at once", bytes);
  }

  private TensorUsageRecord record(int index) {
    return records.get(index);
  }
}
