package com.example.modular;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;

/** Places the records in their order, each at the lowest offset that is free during its lifetime. */
final class FirstFit {

  private FirstFit() {}

  static OffsetsAssignment plan(PlanProblem problem) {
    long[] offsets = new long[problem.records().size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = lowestFree(problem, offsets, i);
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  private static long lowestFree(PlanProblem problem, long[] offsets, int index) {
    TensorUsageRecord record = problem.records().get(index);
    long alignment = problem.alignmentOf(record);
    long offset = 0;
    for (int other = 0; other < index; other++) {
      TensorUsageRecord placed = problem.records().get(other);
      boolean conflict =
          record.firstTask() <= placed.lastTask() && placed.firstTask() <= record.lastTask();
      long end = offsets[other] + placed.bytes();
      if (conflict && offset < end && offsets[other] < offset + record.bytes()) {
        offset = (end + alignment - 1) / alignment * alignment;
        other = -1; // the new range may overlap a record that was looked at before
      }
    }
    return offset;
  }
}
