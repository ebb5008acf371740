package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TextureObjectsAssignment;
import dev.stowage.plan.TextureUsageRecord;
import dev.stowage.plan.spi.ObjectsPlanner;
import dev.stowage.plan.spi.TexturePlanner;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The strategy without sharing: record i has object i. */
public final class Naive implements ObjectsPlanner, TexturePlanner {

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

  @Override
  public TextureObjectsAssignment planTextures(List<TextureUsageRecord> records) {
    return new TextureObjectsAssignment(
        IntStream.range(0, records.size()).boxed().toList(),
        records.stream().map(TextureUsageRecord::extent).toList());
  }
}
