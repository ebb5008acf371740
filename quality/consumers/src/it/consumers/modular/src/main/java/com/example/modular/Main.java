package com.example.modular;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;

/** Plans three tensors with a strategy of the library and with a strategy of this project. */
final class Main {

  private Main() {}

  public static void main(String[] args) {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(1024, 0, 1),
                TensorUsageRecord.of(4096, 1, 2),
                TensorUsageRecord.of(1024, 2, 3)));
    require(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem), 5120);

    OffsetsAssignment plan = FirstFit.plan(problem);
    require(plan, 5120);
    AssignmentChecker.violation(problem, plan)
        .ifPresent(violation -> {
          throw new AssertionError(violation);
        });

    OffsetsSearch search = OffsetsSearch.of(problem, SearchOptions.defaults());
    search.offer(plan);
    SearchResult<OffsetsAssignment> result = search.run();
    require(result.assignment(), 5120);
    if (!result.isOptimal()) {
      throw new AssertionError("expected a proof: " + result);
    }
  }

  private static void require(OffsetsAssignment plan, long totalBytes) {
    if (plan.totalBytes() != totalBytes) {
      throw new AssertionError("expected " + totalBytes + " bytes: " + plan);
    }
  }
}
