package dev.stowage.plan.violations;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Finds two records that share memory without permission of the problem's graph. */
public final class SharingCheck {

  /*
   * With a usage graph, "may follow" is transitive. The users of a byte are therefore visited by
   * first task, and each is compared only with the previous one. Other graphs and pinned records
   * require a comparison of all pairs.
   */

  private final List<TensorUsageRecord> records;
  private final ReuseGraph graph;
  private final boolean isTransitive;

  private SharingCheck(PlanProblem problem, ReuseGraph graph) {
    this.records = problem.records();
    this.graph = graph;
    isTransitive = graph.isUsageGraph() && !problem.hasPins();
  }

  /** {@return the first violation of the graph by offsets; empty if there is none or no graph} */
  public static Optional<Violation> ofPlan(PlanProblem problem, OffsetsAssignment assignment) {
    return problem
        .reuseGraph()
        .map(graph -> new SharingCheck(problem, graph))
        .flatMap(check ->
            check.isTransitive
                ? check.ofConsecutiveUsers(assignment)
                : check.ofAllPairs(assignment));
  }

  /**
   * {@return two pinned records that share bytes without permission of the graph; empty if there
   * are none or no graph}
   */
  public static Optional<Violation> ofPins(PlanProblem problem) {
    return problem
        .reuseGraph()
        .filter(graph -> problem.hasPins())
        .flatMap(graph -> new SharingCheck(problem, graph).pinsNotPermitted());
  }

  /** {@return the first violation of the graph by objects; empty if there is none or no graph} */
  public static Optional<Violation> ofPlan(PlanProblem problem, ObjectsAssignment assignment) {
    return problem
        .reuseGraph()
        .map(graph -> new SharingCheck(problem, graph))
        .flatMap(check -> check.ofObjects(assignment));
  }

  /** The end of a range of bytes, and the last record that used the range. */
  private record Use(long endByte, int record) {}

  private Optional<Violation> ofConsecutiveUsers(OffsetsAssignment assignment) {
    TreeMap<Long, Use> uses = new TreeMap<>();
    for (int i : IndexOrder.ascending(records.size(), i -> records.get(i).firstTask())) {
      long start = assignment.offset(i);
      long end = start + records.get(i).bytes();
      Map.Entry<Long, Use> last = start < end ? uses.lowerEntry(end) : null;
      while (last != null && last.getValue().endByte > start) {
        Optional<Violation> violation = violation(last.getValue().record, i, "bytes");
        if (violation.isPresent()) {
          return violation;
        }
        uses.remove(last.getKey());
        if (last.getValue().endByte > end) {
          uses.put(end, last.getValue());
        }
        if (last.getKey() < start) {
          uses.put(last.getKey(), new Use(start, last.getValue().record));
        }
        last = uses.lowerEntry(end);
      }
      if (start < end) {
        uses.put(start, new Use(end, i));
      }
    }
    return Optional.empty();
  }

  private Optional<Violation> ofAllPairs(OffsetsAssignment assignment) {
    int[] all = IntStream.range(0, records.size()).toArray();
    return firstOfPairs(all, assignment::offset, (one, other) -> violation(one, other, "bytes"));
  }

  private Optional<Violation> pinsNotPermitted() {
    int[] pinned =
        IntStream.range(0, records.size())
            .filter(i -> records.get(i).pinnedOffset().isPresent())
            .toArray();
    return firstOfPairs(
        pinned,
        i -> records.get(i).pinnedOffset().orElseThrow(),
        (one, other) ->
            graph.mayShare(one, other)
                ? Optional.empty()
                : Optional.of(
                    Violation.of(
                        Violation.Kind.NOT_PERMITTED,
                        Message.of(
                            "pinned records %d and %d share bytes, but the graph allows an order in which both are live",
                            Math.min(one, other), Math.max(one, other)),
                        one,
                        other)));
  }

  /** {@return the first violation by two of some records that share bytes, by offset} */
  private Optional<Violation> firstOfPairs(
      int[] some,
      IntToLongFunction offset,
      BiFunction<Integer, Integer, Optional<Violation>> violation) {
    int[] byOffset = IndexOrder.ascending(some.length, k -> offset.applyAsLong(some[k]));
    for (int k = 0; k < byOffset.length; k++) {
      int record = some[byOffset[k]];
      long end = offset.applyAsLong(record) + records.get(record).bytes();
      for (int l = k + 1; l < byOffset.length; l++) {
        int other = some[byOffset[l]];
        if (offset.applyAsLong(other) >= end) {
          break;
        }
        if (records.get(other).bytes() > 0) {
          Optional<Violation> found = violation.apply(record, other);
          if (found.isPresent()) {
            return found;
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Violation> ofObjects(ObjectsAssignment assignment) {
    List<List<Integer>> users = new ArrayList<>();
    for (int object = 0; object < assignment.objectCount(); object++) {
      users.add(new ArrayList<>(1));
    }
    for (int i : IndexOrder.ascending(records.size(), i -> records.get(i).firstTask())) {
      List<Integer> others = users.get(assignment.objectId(i));
      List<Integer> candidates =
          isTransitive ? others.subList(Math.max(0, others.size() - 1), others.size()) : others;
      for (int other : candidates) {
        Optional<Violation> violation = violation(other, i, "object " + assignment.objectId(i));
        if (violation.isPresent()) {
          return violation;
        }
      }
      others.add(i);
    }
    return Optional.empty();
  }

  /** {@return a violation if two records must not share; {@code shared} names the shared memory} */
  private Optional<Violation> violation(int a, int b, String shared) {
    TensorUsageRecord first = records.get(a);
    TensorUsageRecord second = records.get(b);
    if (first.pinnedOffset().isPresent() && second.pinnedOffset().isPresent()) {
      return Optional.empty();
    }
    int lower = Math.min(a, b);
    int higher = Math.max(a, b);
    if (!graph.mayShare(a, b)) {
      return Optional.of(
          Violation.of(
              Violation.Kind.NOT_PERMITTED,
              Message.of(
                  "V7 records %d and %d share %s, but the graph allows an order in which both are live",
                  lower, higher, shared),
              a,
              b));
    }
    long task = Math.max(first.firstTask(), second.firstTask());
    return task <= Math.min(first.lastTask(), second.lastTask())
        ? Optional.of(
            Violation.atTask(
                Violation.Kind.NOT_PERMITTED,
                task,
                Message.of(
                    "V7 records %d and %d share %s, but both lifetimes include task %d; with a graph,"
                        + " gaps are ignored",
                    lower, higher, shared, task),
                a,
                b))
        : Optional.empty();
  }
}
