package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.OptionEffect;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
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
  private final PlanProblem problem;
  private final Answer answer;

  private ExplanationAnswer(PlanInput.Tensors input, Answer answer) {
    this.input = input;
    problem = input.problem().withoutUnusedGaps();
    this.answer = answer;
  }

  /**
   * Adds an explanation.
   *
   * @param file the start of the sentence with the file; empty if there is only one file
   */
  static void addTo(Answer answer, Explanation explanation, PlanInput.Tensors input, String file) {
    String why = sentence(explanation, input);
    answer
        .line("%n%s", file.isEmpty() ? why : file + "w" + why.substring(1))
        .group("explanation", group -> new ExplanationAnswer(input, group).add(explanation));
  }

  /** {@return the reason that no plan fits: {@code Why not 119 bytes: at task 51, 3 live …}} */
  private static String sentence(Explanation explanation, PlanInput.Tensors input) {
    return Text.of(
        "Why not %s: %s.",
        Numbers.count(explanation.capacityBytes(), "byte"), ExplanationText.of(explanation, input));
  }

  private void add(Explanation explanation) {
    answer
        .field("capacity", explanation.capacityBytes())
        .field("proved", explanation.conflict().isPresent());
    explanation.conflict().ifPresent(this::addConflict);
    List<String> remedies = RemedyText.of(explanation, input.file());
    if (!remedies.isEmpty()) {
      answer.line("").lines(remedies);
    }
    addRemedies(explanation);
  }

  private void addConflict(CapacityConflict conflict) {
    answer
        .field("reason", ExplanationText.reason(conflict))
        .field("least_bytes", conflict.leastBytes());
    switch (conflict.reason()) {
      case Reason.LiveBytes live -> addTask(live.isExact(), live.task());
      case Reason.RecordEnd() -> {}
      case Reason.Padding padding -> {
        addTask(padding.isExact(), padding.task());
        answer.field("alignment", padding.alignmentBytes());
      }
      case Reason.Pins pins -> answer.field("exact", pins.isExact());
      case Reason.NoPlacement search -> answer.field("exact", search.isExact());
    }
    answer.table(
        PlanRecords.of(input, conflict.records())
            .data("live_bytes", i -> liveBytes(conflict.reason(), record(i)))
            .data("offset", i -> Figure.count(record(i).pinnedOffset())));
    addTensors(conflict);
  }

  private void addTask(boolean isExact, long task) {
    answer.field("exact", isExact).field("task", task);
    Labels.addOperator("operator", task, input.file(), answer);
  }

  private static Figure liveBytes(Reason reason, TensorUsageRecord record) {
    return reason instanceof Reason.LiveBytes live
        ? Figure.bytes(record.bytesNeededAt(live.task()))
        : Figure.none();
  }

  /** Adds a table of the tensors, the largest first, with their pins. */
  private void addTensors(CapacityConflict conflict) {
    List<Integer> largestFirst =
        conflict.records().stream()
            .sorted(Comparator.comparingLong(this::bytes).reversed())
            .toList();
    Table<Integer> table =
        Table.shown(largestFirst.stream().limit(MAX_ROWS).toList())
            .text("", "TENSOR", i -> input.labels().get(i).name())
            .count("", "bytes", this::bytes);
    if (conflict.records().stream().anyMatch(i -> record(i).pinnedOffset().isPresent())) {
      table.shown("pinned to", i -> Figure.count(record(i).pinnedOffset()));
    }
    answer.table(
        table
            .text("", "first task", i -> input.file().cell(record(i).firstTask()))
            .text("", "last task", i -> input.file().cell(record(i).lastTask())));
    List<Integer> others = largestFirst.stream().skip(MAX_ROWS).toList();
    if (!others.isEmpty()) {
      answer.line(
          "  and %s more with %s",
          Numbers.grouped(others.size()),
          Numbers.count(others.stream().mapToLong(this::bytes).sum(), "byte"));
    }
  }

  private TensorUsageRecord record(int index) {
    return problem.records().get(index);
  }

  private long bytes(int record) {
    return record(record).bytes();
  }

  /** Adds the peaks of the live bytes, and the effects of options. */
  private void addRemedies(Explanation explanation) {
    answer.group("peak", group -> addPeak(explanation.peak(), group));
    explanation
        .nextPeak()
        .ifPresent(next ->
            answer
                .group("next_peak", group -> addPeak(next.load(), group))
                .field("next_peak_without", next.isWithoutAllLive() ? "live_at_peak" : "records"));
    answer.table(
        Table.named("effects", explanation.effects())
            .text("option", Table.HIDDEN, OptionEffect::option)
            .data("in_use", effect -> new Figure.Flag(effect.isUsed()))
            .count("base_bytes", Table.HIDDEN, OptionEffect::baseBytes)
            .count("total_bytes", Table.HIDDEN, OptionEffect::totalBytes)
            .count("lower_bound", Table.HIDDEN, OptionEffect::lowerBoundBytes)
            .data("optimal", effect -> new Figure.Flag(effect.isOptimal())));
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
