package dev.stowage.plan.incremental;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.text.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * An order of the operators of a graph, which determines the lifetimes, with their load and plan.
 *
 * {@snippet :
 * OperatorOrder order = OperatorOrder.of(problem, graph);
 * long bestBytes = order.totalBytes();
 * for (int position = 0; position + 1 < order.operatorCount(); position++) {
 *   if (order.canMove(position, position + 1)) {
 *     order.checkpoint();
 *     order.move(position, position + 1); // swaps two neighbours
 *     if (order.loadBytes() < bestBytes && order.totalBytes() < bestBytes) {
 *       order.commit();
 *       bestBytes = order.totalBytes();
 *     } else {
 *       order.rollback();
 *     }
 *   }
 * }
 * }
 *
 * <p>The position of an operator is its task. A move changes only the lifetimes that it affects, in
 * an {@link IncrementalPlan}. For one thread.
 */
public final class OperatorOrder {

  /*
   *   C3  operators[positions[i]] == i for each operator i.
   *   C4  Each record lives from the position of its first user to the position of its last user.
   *   C5  Each operator runs after its predecessors.
   */

  private final OperatorGraph graph;
  private int[] operators;
  private int[] positions;
  private final IncrementalPlan plan;

  /** The operators at each checkpoint. */
  private final Deque<int[]> checkpoints = new ArrayDeque<>();

  private OperatorOrder(OperatorGraph graph, PlanProblem problem, int[] operators) {
    this.graph = graph;
    this.operators = operators;
    positions = positions(operators);
    plan = IncrementalPlan.of(problem, 1L + lastPosition());
  }

  /**
   * {@return the given order of the operators of a graph}
   *
   * @param problem the records; the order determines their lifetimes, so that the problem's own
   *     lifetimes have no effect
   * @param graph the operators, with at most {@link IncrementalPlan#MAX_TASKS}
   * @throws IllegalArgumentException if a record is pinned or has gaps, or the problem has a reuse
   *     graph or records in place of others
   * @throws IllegalArgumentException if the problem and the graph have different numbers of
   *     records, or a record is neither an input nor an output and no operator uses it
   */
  public static OperatorOrder of(PlanProblem problem, OperatorGraph graph) {
    return of(problem, graph, IntStream.range(0, graph.operatorCount()).toArray());
  }

  /**
   * {@return an order of the operators of a graph}
   *
   * @param problem the records, as for {@link #of(PlanProblem, OperatorGraph)}
   * @param graph the operators
   * @param operators the operators in their order, by their indices in the graph
   * @throws IllegalArgumentException as for {@link #of(PlanProblem, OperatorGraph)}, or if an
   *     operator is missing or precedes one of its predecessors
   */
  public static OperatorOrder of(PlanProblem problem, OperatorGraph graph, int[] operators) {
    return new OperatorOrder(graph, problemOf(problem, graph, operators), operators.clone());
  }

  /**
   * {@return the problem with the lifetimes that follow from an order of operators}
   *
   * <p>Costs O(n + u) for n records with u users, and makes no plan.
   *
   * @param problem the records, as for {@link #of(PlanProblem, OperatorGraph)}
   * @param graph the operators
   * @param operators the operators in their order, by their indices in the graph
   * @throws IllegalArgumentException as for {@link #of(PlanProblem, OperatorGraph, int[])}
   */
  public static PlanProblem problemOf(PlanProblem problem, OperatorGraph graph, int[] operators) {
    int count = problem.records().size();
    if (count != graph.recordCount()) {
      throw Message.illegalArgument(
          "the problem and the graph must have the same number of records: problem=%d, graph=%d",
          count, graph.recordCount());
    }
    IncrementalPlan.checkSupported(problem);
    for (int i = 0; i < count; i++) {
      checkRecord(problem.records().get(i), i, graph);
    }
    checkOrder(graph, operators);
    int[] positions = positions(operators);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(
          problem
              .records()
              .get(i)
              .withLifetime(firstTask(i, graph, positions), lastTask(i, graph, positions)));
    }
    return PlanProblem.of(records).withAlignment(problem.alignment());
  }

  private static int[] positions(int[] operators) {
    int[] positions = new int[operators.length];
    for (int position = 0; position < operators.length; position++) {
      positions[operators[position]] = position;
    }
    return positions;
  }

  private static void checkOrder(OperatorGraph graph, int[] operators) {
    BitSet before = new BitSet();
    for (int operator : operators) {
      for (int predecessor : graph.predecessors[operator]) {
        if (!before.get(predecessor)) {
          throw Message.illegalArgument(
              "operator %d must come before operator %d", predecessor, operator);
        }
      }
      before.set(operator);
    }
    if (operators.length != graph.operatorCount()
        || before.cardinality() != graph.operatorCount()) {
      throw Message.illegalArgument(
          "an order must have each operator of the graph once: order=%d, graph=%d",
          operators.length, graph.operatorCount());
    }
  }

  private static void checkRecord(TensorUsageRecord record, int index, OperatorGraph graph) {
    if (!record.gaps().isEmpty()) {
      throw new UnsupportedProblemException(
          "an order of operators does not support gaps: " + record.label(index) + " has gaps");
    }
    if (graph.users[index].length == 0 && !graph.isInput(index) && !graph.isOutput(index)) {
      throw new IllegalArgumentException(
          record.label(index) + " has no operator: make it an input or an output of the graph");
    }
  }

  private int lastPosition() {
    return Math.max(0, operators.length - 1);
  }

  private static int firstTask(int record, OperatorGraph graph, int[] positions) {
    if (graph.isInput(record)) {
      return 0;
    }
    int first = Math.max(0, positions.length - 1);
    for (int user : graph.users[record]) {
      first = Math.min(first, positions[user]);
    }
    return first;
  }

  private static int lastTask(int record, OperatorGraph graph, int[] positions) {
    if (graph.isOutput(record)) {
      return Math.max(0, positions.length - 1);
    }
    int last = 0;
    for (int user : graph.users[record]) {
      last = Math.max(last, positions[user]);
    }
    return last;
  }

  private int firstTask(int record) {
    return firstTask(record, graph, positions);
  }

  private int lastTask(int record) {
    return lastTask(record, graph, positions);
  }

  /** {@return the number of operators} */
  public int operatorCount() {
    return operators.length;
  }

  /** {@return a copy of the operators in this order} */
  public int[] operators() {
    return operators.clone();
  }

  /**
   * {@return the lowest position that an operator may move to}
   *
   * <p>Costs O(k) for k direct dependencies of the operator.
   *
   * @param position the position of the operator
   */
  public int earliestPosition(int position) {
    int earliest = 0;
    for (int predecessor : graph.predecessors[operators[position]]) {
      earliest = Math.max(earliest, positions[predecessor] + 1);
    }
    return earliest;
  }

  /**
   * {@return the highest position that an operator may move to}
   *
   * <p>Costs O(k) for k operators that directly depend on the operator.
   *
   * @param position the position of the operator
   */
  public int latestPosition(int position) {
    int latest = lastPosition();
    for (int successor : graph.successors[operators[position]]) {
      latest = Math.min(latest, positions[successor] - 1);
    }
    return latest;
  }

  /**
   * {@return true if an operator may move to another position}
   *
   * <p>Costs O(k) for k direct dependencies of the operator.
   *
   * @param from the position of the operator
   * @param to the new position
   * @throws IndexOutOfBoundsException if a position is not from 0 to {@code operatorCount() - 1}
   */
  public boolean canMove(int from, int to) {
    Objects.checkIndex(from, operators.length);
    Objects.checkIndex(to, operators.length);
    return to < from ? earliestPosition(from) <= to : to <= latestPosition(from);
  }

  /**
   * Moves an operator; the operators in between move by one position.
   *
   * <p>A move by one position swaps two neighbours. Costs O(u) for u users of the records of the
   * moved operators, plus the costs of {@link IncrementalPlan#setLifetime} for each changed
   * lifetime.
   *
   * @param from the position of the operator
   * @param to the new position
   * @throws IllegalArgumentException if {@code !canMove(from, to)}
   * @throws IndexOutOfBoundsException if a position is not from 0 to {@code operatorCount() - 1}
   */
  public void move(int from, int to) {
    if (!canMove(from, to)) {
      throw Message.illegalArgument(
          "operator %d can only move to positions from %d to %d: from=%d, to=%d",
          operators[from], earliestPosition(from), latestPosition(from), from, to);
    }
    shift(from, to);
    int step = from < to ? 1 : -1;
    updateLifetimes(operators[to], from, to);
    for (int position = from; position != to; position += step) {
      updateLifetimes(operators[position], position + step, position);
    }
  }

  private void shift(int from, int to) {
    int moved = operators[from];
    int step = from < to ? 1 : -1;
    for (int position = from; position != to; position += step) {
      operators[position] = operators[position + step];
      positions[operators[position]] = position;
    }
    operators[to] = moved;
    positions[moved] = to;
  }

  /** Updates the lifetimes that an operator began or ended, begins or ends. */
  private void updateLifetimes(int operator, int from, int to) {
    for (int record : graph.records[operator]) {
      long first = plan.firstTask(record);
      long last = plan.lastTask(record);
      if (from == first || from == last || to < first || to > last) {
        plan.setLifetime(record, firstTask(record), lastTask(record));
      }
    }
  }

  /**
   * {@return the load of this order: the maximum number of bytes live at one task; O(1)}
   *
   * @see IncrementalPlan#loadBytes
   */
  public long loadBytes() {
    return plan.loadBytes();
  }

  /**
   * {@return the size of the tensor arena of this order}
   *
   * @see IncrementalPlan#totalBytes
   */
  public long totalBytes() {
    return plan.totalBytes();
  }

  /**
   * {@return the start of a record, in bytes from the start of the tensor arena}
   *
   * @param record an index into the records of the graph
   * @see IncrementalPlan#offset
   */
  public long offset(int record) {
    return plan.offset(record);
  }

  /** {@return a copy of all offsets; O(n) for n records} */
  public OffsetsAssignment assignment() {
    return plan.assignment();
  }

  /** {@return the problem with the lifetimes of this order; O(n) for n records} */
  public PlanProblem problem() {
    return plan.problem();
  }

  /**
   * Remembers the current order and its plan for {@link #rollback}.
   *
   * @see IncrementalPlan#checkpoint
   */
  public void checkpoint() {
    checkpoints.push(operators.clone());
    plan.checkpoint();
  }

  /**
   * Restores the order and the plan at the last checkpoint, and removes the checkpoint.
   *
   * @throws IllegalStateException if there is no checkpoint
   * @see IncrementalPlan#rollback
   */
  public void rollback() {
    plan.rollback();
    operators = checkpoints.pop();
    positions = positions(operators);
  }

  /**
   * Keeps all moves since the last checkpoint, and removes the checkpoint.
   *
   * @throws IllegalStateException if there is no checkpoint
   * @see IncrementalPlan#commit
   */
  public void commit() {
    plan.commit();
    checkpoints.pop();
  }

  /** Throws an {@link AssertionError} with a label if an invariant is violated. O(n²). */
  void checkInvariants() {
    plan.checkInvariants();
    for (int i = 0; i < positions.length; i++) {
      if (operators[positions[i]] != i) {
        throw new AssertionError("C3 operator " + i);
      }
      if (earliestPosition(positions[i]) > positions[i]) {
        throw new AssertionError("C5 operator " + i);
      }
    }
    for (int i = 0; i < graph.recordCount(); i++) {
      if (plan.firstTask(i) != firstTask(i) || plan.lastTask(i) != lastTask(i)) {
        throw new AssertionError("C4 record " + i);
      }
    }
  }
}
