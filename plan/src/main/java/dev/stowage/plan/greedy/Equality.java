package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.time.ExpiryQueue;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The strategy that reuses only free objects of exactly the record's size.
 *
 * <p>Of several free objects, the record takes the one freed last. From TensorFlow Lite's GPU
 * delegate.
 */
public final class Equality implements ObjectsPlanner {

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    List<TensorUsageRecord> records = problem.records();
    int[] objectIds = new int[records.size()];
    ObjectList objects = new ObjectList();
    Map<Long, ArrayDeque<Integer>> freeByBytes = new HashMap<>();
    ExpiryQueue live = new ExpiryQueue();
    StepCounter steps = new StepCounter(stop);
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      steps.check(64);
      TensorUsageRecord record = records.get(i);
      live.expireBefore(
          record.firstTask(),
          object ->
              freeByBytes
                  .computeIfAbsent(objects.bytes(object), bytes -> new ArrayDeque<>())
                  .push(object));
      ArrayDeque<Integer> free = freeByBytes.getOrDefault(record.bytes(), new ArrayDeque<>(0));
      objectIds[i] = free.isEmpty() ? objects.add(record.bytes()) : free.pop();
      live.add(record.lastTask(), objectIds[i]);
    }
    return ObjectsAssignment.of(objectIds, objects.toArray());
  }
}
