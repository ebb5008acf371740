package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Comparator;
import java.util.Map;

/** The figures of TensorFlow Lite Micro as rows of a table. */
final class MicroTable {

  private MicroTable() {}

  /** Adds the rows of the head and the tail of the arena. */
  static void addTo(TextTable table, PlanReport report, MicroReport micro) {
    table.row("");
    table.row("HEAD of TensorFlow Lite Micro", "bytes");
    if (micro.filePlanBytes().isPresent()) {
      row(
          table,
          "in the file",
          micro.filePlanBytes().getAsLong(),
          micro.filePlanOverlap().isPresent() ? "overlaps" : "valid");
    }
    row(table, "without a plan", micro.withoutPlanBytes(), "");
    Comparator<Map.Entry<MemoryStrategy, Long>> bestFirst = Map.Entry.comparingByValue();
    micro.headBytes().entrySet().stream()
        .min(bestFirst.thenComparing(entry -> !isBest(entry.getKey(), report)))
        .ifPresent(best -> row(table, "with " + best.getKey(), best.getValue(), ""));
    micro
        .tensorsAloneBytes()
        .ifPresent(bytes -> row(table, "with OPTIMAL of tensors alone", bytes, ""));
    table.row("");
    table.row("TAIL of TensorFlow Lite Micro", "bytes");
    MicroMemory memory = micro.memory();
    if (memory.variableCount() > 0) {
      row(table, Numbers.count(memory.variableCount(), "variable"), memory.variableBytes(), "");
    }
    row(table, "persistent data", memory.tailEstimateBytes(), "estimate");
  }

  private static boolean isBest(MemoryStrategy strategy, PlanReport report) {
    return report.bestOffsets().map(Plan.Offsets::strategy).filter(strategy::equals).isPresent();
  }

  private static void row(TextTable table, String name, long bytes, String remark) {
    table.row("  " + name, Numbers.grouped(bytes), ByteUnit.human(bytes), remark);
  }
}
