package dev.stowage.plan.time;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** The maximum number of bytes that records in place of others save at each task. */
public final class InPlaceSavings {

  /*
   * At a task, a plan can use any set of pairs without a common record:
   *
   *   - Two records in place of the same source must not share bytes with each other.
   *   - Let a record live at a single task. If it takes over bytes, and another takes over its bytes,
   *     these two others share bytes without a permission.
   *
   * The pairs of a task form a forest, from sources to the records in place of them. The savings are
   * therefore the weight of a maximum matching in a forest, where a pair weighs the bytes of its
   * record. Records are visited from the leaves up, each once.
   */

  /** The state of a record that has all records in place of it behind it. */
  private static final class Tree {

    private final TensorUsageRecord record;

    /** The source, or -1. */
    private int source = -1;

    /** The records in place of this one that are not visited yet. */
    private int waitingCount;

    private boolean isSource;

    /** The savings below this record if it is not the source of a used pair. */
    private long unusedBytes;

    /** The further savings if it is the source of the best pair. */
    private long gainBytes;

    Tree(TensorUsageRecord record) {
      this.record = record;
    }

    long bytes() {
      return unusedBytes + gainBytes;
    }

    /** {@return true if the pair above this record has the same task as the pairs below} */
    boolean continuesAbove() {
      return source >= 0 && record.firstTask() == record.lastTask();
    }

    void addBelow(Tree below) {
      long withoutPair = below.continuesAbove() ? below.bytes() : 0;
      long withPair = (below.continuesAbove() ? below.unusedBytes : 0) + below.record.bytes();
      unusedBytes += withoutPair;
      gainBytes = Math.max(gainBytes, withPair - withoutPair);
    }
  }

  private InPlaceSavings() {}

  /**
   * {@return the savings by task; O(n) for n pairs}
   *
   * <p>A pair of two pinned records saves nothing, because shared bytes of pinned records count
   * once in any case.
   *
   * @param problem the records
   * @param pairs usable pairs of the problem
   */
  public static Map<Long, Long> byTask(PlanProblem problem, List<InPlace> pairs) {
    Map<Integer, Tree> trees = new HashMap<>();
    List<TensorUsageRecord> records = problem.records();
    for (InPlace pair : pairs) {
      TensorUsageRecord record = records.get(pair.record());
      TensorUsageRecord source = records.get(pair.source());
      if (record.pinnedOffset().isEmpty() || source.pinnedOffset().isEmpty()) {
        trees.computeIfAbsent(pair.record(), i -> new Tree(record)).source = pair.source();
        Tree above = trees.computeIfAbsent(pair.source(), i -> new Tree(source));
        above.waitingCount++;
        above.isSource = true;
      }
    }
    Queue<Tree> ready = new ArrayDeque<>();
    trees.values().stream().filter(tree -> tree.waitingCount == 0).forEach(ready::add);
    Map<Long, Long> saved = new HashMap<>();
    while (!ready.isEmpty()) {
      Tree tree = ready.remove();
      if (tree.isSource && !tree.continuesAbove()) {
        saved.merge(tree.record.lastTask(), tree.bytes(), Long::sum);
      }
      if (tree.source >= 0) {
        Tree above = Optional.ofNullable(trees.get(tree.source)).orElseThrow();
        above.addBelow(tree);
        above.waitingCount--;
        if (above.waitingCount == 0) {
          ready.add(above);
        }
      }
    }
    return saved;
  }
}
