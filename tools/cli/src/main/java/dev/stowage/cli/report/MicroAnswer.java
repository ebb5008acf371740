package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;

/** The head and the tail of the arena of TensorFlow Lite Micro. */
final class MicroAnswer {

  private MicroAnswer() {}

  /** Adds the figures of a report. */
  static void addTo(Answer answer, PlanReport report, MicroReport micro) {
    MicroMemory memory = micro.memory();
    answer
        .facts(head(report, micro))
        .field("scratch_known", memory.isScratchKnown())
        .field("unused_tensors", memory.unusedCount())
        .field("unused_bytes", memory.unusedBytes())
        .field("variables", memory.variableCount())
        .field("variable_bytes", memory.variableBytes())
        .facts(tail(memory));
  }

  private static Facts head(PlanReport report, MicroReport micro) {
    Facts head =
        new Facts("HEAD of TensorFlow Lite Micro", "bytes")
            .bytes("without_plan_bytes", "without a plan", micro.withoutPlanBytes());
    if (micro.filePlanBytes().isPresent()) {
      boolean isValid = micro.filePlanOverlap().isEmpty();
      head.bytes(
              "file_plan_bytes",
              "in the file",
              micro.filePlanBytes(),
              Figure.text(isValid ? "valid" : "overlaps"))
          .row("file_plan_valid", "", new Figure.Flag(isValid));
    }
    Comparator<Map.Entry<MemoryStrategy, Long>> bestFirst = Map.Entry.comparingByValue();
    micro.headBytes().entrySet().stream()
        .min(bestFirst.thenComparing(entry -> !isBest(entry.getKey(), report)))
        .ifPresent(best -> head.bytes("", "with " + best.getKey(), best.getValue()));
    OptionalLong bestBytes = micro.bestHeadBytes();
    if (bestBytes.isPresent()) {
      head.row("best_head_bytes", "", Figure.bytes(bestBytes));
    }
    return head.bytes(
        "tensors_alone_head_bytes", "with OPTIMAL of tensors alone", micro.tensorsAloneBytes());
  }

  private static Facts tail(MicroMemory memory) {
    Facts tail = new Facts("TAIL of TensorFlow Lite Micro", "bytes");
    if (memory.variableCount() > 0) {
      tail.bytes("", Numbers.count(memory.variableCount(), "variable"), memory.variableBytes());
    }
    return tail.bytes(
        "tail_estimate_bytes",
        "persistent data",
        memory.tailEstimateBytes(),
        Figure.text("estimate"));
  }

  private static boolean isBest(MemoryStrategy strategy, PlanReport report) {
    return report.bestOffsets().map(Plan.Offsets::strategy).filter(strategy::equals).isPresent();
  }
}
