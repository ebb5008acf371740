package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes records by first task and reuses the free object nearest in size.
 *
 * <p>From TensorFlow Lite's GPU delegate; "Greedy" in Lee et al., On-Device Neural Net Inference
 * with Mobile GPUs (2019).
 */
final class GreedyInOrder implements ObjectsPlanner, TexturePlanner {

  private record FreeObject(long bytes, int id) implements Comparable<FreeObject> {

    @Override
    public int compareTo(FreeObject other) {
      int byBytes = Long.compare(bytes, other.bytes);
      return byBytes != 0 ? byBytes : Integer.compare(id, other.id);
    }
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    Optional<UsageGraph> reuse = problem.usageGraph().map(UsageGraph::reallocationGraph);
    int[] objectIds = new int[records.size()];
    int[] lastRecordOfObject = new int[records.size()];
    ObjectList objects = new ObjectList();
    TreeSet<FreeObject> pool = new TreeSet<>();
    ByFirstTask walk = new ByFirstTask();
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      TensorUsageRecord record = records.get(i);
      walk.expire(
          record.firstTask(), object -> pool.add(new FreeObject(objects.bytes(object), object)));
      FreeObject chosen =
          reuse.isPresent()
              ? nearestAllowed(pool, record.bytes(), i, reuse.get(), lastRecordOfObject)
              : nearest(pool, record.bytes());
      if (chosen == null) {
        objectIds[i] = objects.add(record.bytes());
      } else {
        pool.remove(chosen);
        objectIds[i] = chosen.id;
        objects.growTo(chosen.id, record.bytes());
      }
      lastRecordOfObject[objectIds[i]] = i;
      walk.begin(record.lastTask(), objectIds[i]);
    }
    return ObjectsAssignment.of(objectIds, objects.toArray());
  }

  /**
   * {@return the free object nearest in size, none if none is free}
   *
   * <p>A tie goes to the larger object; among equally large ones above, to the lowest id, below, to
   * the highest.
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

  /** {@return the free object nearest in size whose last record this one may follow} */
  private static @Nullable FreeObject nearestAllowed(
      NavigableSet<FreeObject> pool,
      long bytes,
      int record,
      UsageGraph reuse,
      int[] lastRecordOfObject) {
    FreeObject best = null;
    for (FreeObject candidate : pool) {
      boolean nearer =
          best == null || Math.abs(candidate.bytes - bytes) < Math.abs(best.bytes - bytes);
      if (nearer && reuse.hasEdge(lastRecordOfObject[candidate.id], record)) {
        best = candidate;
      }
    }
    return best;
  }

  /** Textures never grow: a free one must hold the record in every dimension. */
  @Override
  public TextureObjectsAssignment planTextures(List<TextureUsageRecord> records) {
    Integer[] objectIds = new Integer[records.size()];
    List<TextureExtent> extents = new ArrayList<>();
    LinkedHashSet<Integer> pool = new LinkedHashSet<>();
    ByFirstTask walk = new ByFirstTask();
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      TextureUsageRecord record = records.get(i);
      walk.expire(record.firstTask(), pool::add);
      Optional<Integer> chosen = tightest(pool, extents, record.extent());
      if (chosen.isPresent()) {
        pool.remove(chosen.get());
      } else {
        extents.add(record.extent());
      }
      objectIds[i] = chosen.orElse(extents.size() - 1);
      walk.begin(record.lastTask(), objectIds[i]);
    }
    return new TextureObjectsAssignment(Arrays.asList(objectIds), extents);
  }

  /** {@return the free texture of least volume that holds {@code wanted}; a tie: freed first} */
  private static Optional<Integer> tightest(
      SequencedSet<Integer> pool, List<TextureExtent> extents, TextureExtent wanted) {
    Optional<Integer> best = Optional.empty();
    long bestVolume = Long.MAX_VALUE;
    for (Integer candidate : pool) {
      TextureExtent extent = extents.get(candidate);
      if (extent.holds(wanted) && (best.isEmpty() || extent.volume() < bestVolume)) {
        best = Optional.of(candidate);
        bestVolume = extent.volume();
      }
    }
    return best;
  }
}
