package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.OptionEffect;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import dev.stowage.plan.explain.LoadPeak;
import java.util.Comparator;
import java.util.List;

/** The reason why no plan fits, the tensors in the way, and the changes that would help. */
final class ExplanationAnswer {

  /** More are for programs: JSON has them all. */
  private static final int MAX_ROWS = 40;

  private final PlanInput.Tensors input;
  private final List<TensorUsageRecord> records;
  private final Answer answer;

  private ExplanationAnswer(PlanInput.Tensors input, Answer answer) {
    this.input = input;
    records = input.problem().withoutUnusedGaps().records();
    this.answer = answer;
  }

  /**
   * Adds an explanation.
   *
   * @param file the start of the sentence with the file; empty if there is only one file
   */
  static void addTo(Answer answer, Explanation explanation, PlanInput.Tensors input, String file) {
    answer.group(
        "explanation", group -> new ExplanationAnswer(input, group).add(explanation, file));
  }

  private void add(Explanation explanation, String file) {
    answer
        .line(
            "%n%s%shy not %s: %s.",
            file,
            file.isEmpty() ? "W" : "w",
            Numbers.count(explanation.capacityBytes(), "byte"),
            explanation
                .conflict()
                .map(this::sentence)
                .orElse("not proved; no tensors that cannot fit together were found"))
        .field("capacity", explanation.capacityBytes())
        .field("proved", explanation.conflict().isPresent());
    explanation.conflict().ifPresent(this::addConflict);
    List<String> remedies = RemedyText.of(explanation, input.file());
    if (!remedies.isEmpty()) {
      answer.line("").lines(remedies);
    }
    answer.group("peak", group -> addPeak(explanation.peak(), group));
    answer.table(
        Table.named("effects", explanation.effects())
            .text("option", Table.HIDDEN, OptionEffect::option)
            .data("in_use", effect -> new Figure.Flag(effect.isUsed()))
            .count("base_bytes", Table.HIDDEN, OptionEffect::baseBytes)
            .count("total_bytes", Table.HIDDEN, OptionEffect::totalBytes)
            .count("lower_bound", Table.HIDDEN, OptionEffect::lowerBoundBytes)
            .data("optimal", effect -> new Figure.Flag(effect.isOptimal())));
  }

  /** {@return the reason, such as {@code at task 51, 3 live tensors need 120 bytes}} */
  private String sentence(CapacityConflict conflict) {
    int count = conflict.records().size();
    String live = Numbers.count(count, "live tensor") + (count == 1 ? " needs " : " need ");
    String needed = Numbers.count(conflict.leastBytes(), "byte");
    return switch (conflict.reason()) {
      case Reason.LiveBytes(long task, boolean isExact) ->
          Text.of("at %s, %s%s", input.file().nameOf(task), live, bytes(needed, isExact));
      case Reason.RecordEnd() ->
          Text.of(
              "1 tensor of %s ends at byte %s",
              Numbers.count(record(conflict.records().getFirst()).bytes(), "byte"),
              Numbers.grouped(conflict.leastBytes()));
      case Reason.Padding(long task, long alignment, boolean isExact) ->
          Text.of(
              "at %s, %s%s with padding, because their offsets are multiples of %s",
              input.file().nameOf(task), live, bytes(needed, isExact), Numbers.grouped(alignment));
      case Reason.Pins(int blocked, boolean isExact) ->
          Text.of(
              "%s and a tensor of %s have no room; together they need %s",
              Numbers.count(count - 1L, "pinned tensor"),
              Numbers.count(record(blocked).bytes(), "byte"),
              bytes(needed, isExact));
      case Reason.NoPlacement(boolean isExact) ->
          Text.of(
              "no placement of these %s fits (exhaustive search); they need %s",
              Numbers.count(count, "tensor"), bytes(needed, isExact));
    };
  }

  private static String bytes(String needed, boolean isExact) {
    return (isExact ? "" : "at least ") + needed;
  }

  private void addConflict(CapacityConflict conflict) {
    switch (conflict.reason()) {
      case Reason.LiveBytes(long task, boolean isExact) ->
          addReason("live_bytes", conflict, isExact).field("task", task);
      case Reason.RecordEnd() -> addReason("record_end", conflict, true);
      case Reason.Padding(long task, long alignment, boolean isExact) ->
          addReason("alignment_padding", conflict, isExact)
              .field("task", task)
              .field("alignment", alignment);
      case Reason.Pins(int _, boolean isExact) -> addReason("pins", conflict, isExact);
      case Reason.NoPlacement(boolean isExact) -> addReason("no_placement", conflict, isExact);
    }
    answer.table(
        PlanRecords.of(input, conflict.records())
            .data("offset", i -> Figure.count(record(i).pinnedOffset())));
    addTensors(conflict);
  }

  private Answer addReason(String reason, CapacityConflict conflict, boolean isExact) {
    return answer
        .field("reason", reason)
        .field("least_bytes", conflict.leastBytes())
        .field("exact", isExact);
  }

  /** Adds a table of the tensors, the largest first, with their pins. */
  private void addTensors(CapacityConflict conflict) {
    List<Integer> largestFirst =
        conflict.records().stream()
            .sorted(Comparator.comparingLong((Integer i) -> record(i).bytes()).reversed())
            .limit(MAX_ROWS)
            .toList();
    Table<Integer> table =
        Table.shown(largestFirst)
            .text("", "TENSOR", i -> input.labels().get(i).name())
            .count("", "bytes", i -> record(i).bytes());
    if (conflict.records().stream().anyMatch(i -> record(i).pinnedOffset().isPresent())) {
      table.shown("pinned to", i -> Figure.count(record(i).pinnedOffset()));
    }
    answer.table(
        table
            .text("", "first task", i -> input.file().cell(record(i).firstTask()))
            .text("", "last task", i -> input.file().cell(record(i).lastTask())));
    if (conflict.records().size() > MAX_ROWS) {
      answer.line("  and %s more", Numbers.grouped(conflict.records().size() - MAX_ROWS));
    }
  }

  private TensorUsageRecord record(int index) {
    return records.get(index);
  }

  private static void addPeak(LoadPeak peak, Answer answer) {
    answer
        .field("bytes", peak.bytes())
        .field(
            "tasks",
            Figure.sequence(
                peak.tasks(),
                range -> new Figure.Longs(new long[] {range.firstTask(), range.lastTask()})));
  }
}
