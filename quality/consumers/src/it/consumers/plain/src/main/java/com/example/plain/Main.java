package com.example.plain;

import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;

/** Plans three tensors with what one dependency brings. */
final class Main {

  private Main() {}

  public static void main(String[] args) {
    OffsetsAssignment plan =
        MemoryStrategy.GREEDY_BY_SIZE.planOffsets(
            PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(1024, 0, 1),
                    TensorUsageRecord.of(4096, 1, 2),
                    TensorUsageRecord.of(1024, 2, 3))));
    if (plan.totalBytes() != 5120) {
      throw new AssertionError("expected 5120 bytes: totalBytes=" + plan.totalBytes());
    }
  }
}
