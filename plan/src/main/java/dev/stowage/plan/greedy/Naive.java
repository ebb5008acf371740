package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.planner.ObjectsPlanner;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** The strategy without sharing: record i has object i. */
public final class Naive implements ObjectsPlanner {

  @Override
  public boolean objectsRespectGraphs() {
    return true;
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    int[] objectIds = new int[problem.records().size()];
    Arrays.setAll(objectIds, i -> i);
    long[] objectBytes = problem.records().stream().mapToLong(TensorUsageRecord::bytes).toArray();
    return ObjectsAssignment.of(objectIds, objectBytes);
  }
}
