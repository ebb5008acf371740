package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.time.ExpiryQueue;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The strategy that visits records by first task and reuses the free object nearest in size.
 *
 * <p>From TensorFlow Lite's GPU delegate; "Greedy" in Lee et al., "On-Device Neural Net Inference
 * with Mobile GPUs" (2019).
 */
public final class GreedyInOrder implements ObjectsPlanner {

  /** A free object, ordered by size, then by id. */
  private record FreeObject(long bytes, int id) implements Comparable<FreeObject> {

    @Override
    public int compareTo(FreeObject other) {
      int byBytes = Long.compare(bytes, other.bytes);
      return byBytes != 0 ? byBytes : Integer.compare(id, other.id);
    }
  }

  @Override
  public boolean objectsRespectGraphs() {
    return true;
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    List<TensorUsageRecord> records = problem.records();
    Optional<RecordsByObject> recordsByObject = problem.reuseGraph().map(RecordsByObject::new);
    int[] objectIds = new int[records.size()];
    ObjectList objects = new ObjectList();
    TreeSet<FreeObject> pool = new TreeSet<>();
    ExpiryQueue live = new ExpiryQueue();
    StepCounter steps = new StepCounter(stop);
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      steps.check(64L + (recordsByObject.isPresent() ? pool.size() : 0));
      TensorUsageRecord record = records.get(i);
      live.expireBefore(
          record.firstTask(), object -> pool.add(new FreeObject(objects.bytes(object), object)));
      FreeObject chosen =
          recordsByObject.isPresent()
              ? nearestAllowed(pool, record.bytes(), i, recordsByObject.get())
              : nearest(pool, record.bytes());
      if (chosen == null) {
        objectIds[i] = objects.add(record.bytes());
      } else {
        pool.remove(chosen);
        objectIds[i] = chosen.id;
        objects.growTo(chosen.id, record.bytes());
      }
      int object = objectIds[i];
      recordsByObject.ifPresent(it -> it.add(i, object));
      live.add(record.lastTask(), object);
    }
    return ObjectsAssignment.of(objectIds, objects.toArray());
  }

  /**
   * {@return the free object nearest in size, or null if none is free}
   *
   * <p>Ties: the larger object; of equal objects at least as large as the record, the lowest id; of
   * equal smaller ones, the highest.
   */
  private static @Nullable FreeObject nearest(NavigableSet<FreeObject> pool, long bytes) {
    FreeObject exact = new FreeObject(bytes, 0);
    FreeObject above = pool.ceiling(exact);
    FreeObject below = pool.lower(exact);
    if (above == null || below == null) {
      return above == null ? below : above;
    }
    return bytes - below.bytes < above.bytes - bytes ? below : above;
  }

  /**
   * {@return the free object nearest in size, of the objects with records that all permit sharing;
   * or null}
   */
  private static @Nullable FreeObject nearestAllowed(
      NavigableSet<FreeObject> pool, long bytes, int record, RecordsByObject recordsByObject) {
    FreeObject best = null;
    for (FreeObject candidate : pool) {
      boolean isNearer =
          best == null || Math.abs(candidate.bytes - bytes) < Math.abs(best.bytes - bytes);
      if (isNearer && recordsByObject.allow(record, candidate.id)) {
        best = candidate;
      }
    }
    return best;
  }

  /** The records of each object, as linked lists that start with the last record. */
  private static final class RecordsByObject {

    private final ReuseGraph pairs;

    /** True if a record that may follow another one may also follow all records before it. */
    private final boolean isTransitive;

    private final int[] lastRecordOfObject;
    private final int[] previousRecord;

    RecordsByObject(ReuseGraph graph) {
      pairs = graph;
      isTransitive = graph.isUsageGraph();
      lastRecordOfObject = new int[graph.recordCount()];
      previousRecord = new int[graph.recordCount()];
      Arrays.fill(lastRecordOfObject, -1);
    }

    void add(int record, int object) {
      previousRecord[record] = lastRecordOfObject[object];
      lastRecordOfObject[object] = record;
    }

    /** {@return true if a record may share memory with all records of an object} */
    boolean allow(int record, int object) {
      int other = lastRecordOfObject[object];
      boolean isAllowed = pairs.mayShare(other, record);
      while (isAllowed && !isTransitive && previousRecord[other] >= 0) {
        other = previousRecord[other];
        isAllowed = pairs.mayShare(other, record);
      }
      return isAllowed;
    }
  }
}
