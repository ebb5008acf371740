package dev.stowage.pages;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A rectangle of the map: the bytes that a record needs during a range of tasks.
 *
 * @param record an index into the problem's records
 * @param lastTask the last task, inclusive
 * @param startByte the first byte needed, counted from the record's offset
 * @param endByte the byte after the last one needed
 */
record Part(int record, long firstTask, long lastTask, long startByte, long endByte) {

  /** {@return the parts of all records, in their order, without empty parts} */
  static List<Part> of(PlanProblem problem) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < problem.records().size(); i++) {
      addParts(parts, i, problem.records().get(i));
    }
    return parts;
  }

  long bytes() {
    return endByte - startByte;
  }

  /** Splits a lifetime at its gaps. Only the windows of the gaps remain. */
  private static void addParts(List<Part> parts, int index, TensorUsageRecord record) {
    long from = record.firstTask();
    for (Gap gap : record.gaps()) {
      addUnlessEmpty(parts, new Part(index, from, gap.firstTask() - 1, 0, record.bytes()));
      addUnlessEmpty(
          parts,
          new Part(index, gap.firstTask(), gap.lastTask(), gap.windowStart(), gap.windowEnd()));
      if (gap.lastTask() == record.lastTask()) {
        return;
      }
      from = gap.lastTask() + 1;
    }
    addUnlessEmpty(parts, new Part(index, from, record.lastTask(), 0, record.bytes()));
  }

  private static void addUnlessEmpty(List<Part> parts, Part part) {
    if (part.firstTask <= part.lastTask && part.startByte < part.endByte) {
      parts.add(part);
    }
  }
}
