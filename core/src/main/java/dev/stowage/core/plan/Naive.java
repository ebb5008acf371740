package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** An object of its own for every record: record i has object i. */
final class Naive implements ObjectsPlanner, TexturePlanner {

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
