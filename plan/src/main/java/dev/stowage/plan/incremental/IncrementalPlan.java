package dev.stowage.plan.incremental;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.text.Message;
import dev.stowage.plan.time.RankLoad;
import dev.stowage.plan.time.TaskLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * A problem with lifetimes that change, its load, and the offsets of {@link
 * dev.stowage.plan.strategy.MemoryStrategy#GREEDY_BY_SIZE}.
 *
 * <p>The load and the offsets always equal a plan from scratch, but a change of a few lifetimes
 * costs much less:
 *
 * {@snippet :
 * IncrementalPlan plan = IncrementalPlan.of(problem);
 * long bestBytes = plan.totalBytes();
 * plan.checkpoint();
 * plan.setLifetime(1, 2, 3); // record 1 now lives from task 2 to task 3
 * if (plan.loadBytes() < bestBytes && plan.totalBytes() < bestBytes) {
 *   plan.commit();
 * } else {
 *   plan.rollback();
 * }
 * }
 *
 * <p>{@link #setLifetime} updates the load. The offsets are updated when the caller asks for one of
 * them or for their total, once for all changes before. {@link #checkpoint} and {@link #rollback}
 * take changes back.
 *
 * <p>For one thread.
 *
 * @see OperatorOrder
 */
public final class IncrementalPlan {

  /** The maximum number of tasks; each takes about 10 bytes. */
  public static final int MAX_TASKS = 1 << 24;

  private static final long NOT_PLACED = -1;

  /*
   * A record is identified by its rank: its position in the order of GREEDY_BY_SIZE, by descending
   * size. This order does not depend on lifetimes.
   *
   * The offset of a rank depends only on the offsets of the earlier ranks that overlap it. If a
   * lifetime changes, the later rank of each pair that begins or ceases to overlap becomes stale.
   * An update visits the stale ranks in ascending order and computes their offsets. If an offset
   * changes, the later ranks that overlap it become stale. An update therefore computes each offset
   * at most once.
   *
   *   C1  The load of a task is the sum of the bytes that are live there.
   *   C2  A rank that is not stale has the offset that the earlier ranks imply.
   */

  private final PlanProblem given;
  private final int taskCount;
  private final int[] ranks;
  private final long[] bytes;
  private final long[] alignments;

  private final RankLoad load;

  /** The earlier ranks that overlap the rank to place. */
  private final int[] earlier;

  private State state;
  private final Deque<State> checkpoints = new ArrayDeque<>();

  /**
   * The lifetimes and the offsets, by rank.
   *
   * @param stale the ranks with offsets that may be wrong
   */
  @SuppressWarnings("ArrayRecordComponent") // only this class has the arrays
  private record State(int[] firstTasks, int[] lastTasks, long[] offsets, BitSet stale) {

    State copy() {
      return new State(
          firstTasks.clone(), lastTasks.clone(), offsets.clone(), (BitSet) stale.clone());
    }

    boolean overlap(int a, int b) {
      return firstTasks[a] <= lastTasks[b] && firstTasks[b] <= lastTasks[a];
    }
  }

  private IncrementalPlan(PlanProblem problem, int taskCount) {
    given = problem;
    this.taskCount = taskCount;
    List<TensorUsageRecord> records = problem.records();
    int count = records.size();
    int[] order = IndexOrder.descending(count, i -> records.get(i).bytes());
    ranks = new int[count];
    bytes = new long[count];
    alignments = new long[count];
    load = new RankLoad(new long[taskCount]);
    earlier = new int[count];
    state = new State(new int[count], new int[count], new long[count], new BitSet());
    state.stale.set(0, count);
    Arrays.fill(state.offsets, NOT_PLACED);
    for (int rank = 0; rank < count; rank++) {
      TensorUsageRecord record = records.get(order[rank]);
      ranks[order[rank]] = rank;
      state.firstTasks[rank] = (int) record.firstTask();
      state.lastTasks[rank] = (int) record.lastTask();
      bytes[rank] = record.bytes();
      alignments[rank] = problem.alignmentOf(record);
      load.add(state.firstTasks[rank], state.lastTasks[rank], bytes[rank]);
      // The bytes that a record does not need in its gaps, which never change.
      for (Gap gap : record.gaps()) {
        load.add((int) gap.firstTask(), (int) gap.lastTask(), gap.windowBytes() - record.bytes());
      }
    }
  }

  /**
   * {@return a plan for the tasks up to the last task of any record}
   *
   * @param problem the records; their lifetimes may change
   * @throws IllegalArgumentException as for {@link #of(PlanProblem, long)}
   */
  public static IncrementalPlan of(PlanProblem problem) {
    long lastTask =
        problem.records().stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    return of(problem, Math.min(lastTask, MAX_TASKS - 1) + 1);
  }

  /**
   * {@return a plan}
   *
   * <p>A record with gaps counts to the load as in {@link dev.stowage.plan.bounds.LowerBounds}, and
   * occupies its bytes throughout its lifetime. Its gaps stay at the same tasks. Costs O(n log n +
   * t) for n records and t tasks.
   *
   * @param problem the records; their lifetimes may change
   * @param taskCount the number of tasks; each lifetime ends before it
   * @throws IllegalArgumentException if a record is pinned, or the problem has a reuse graph or
   *     records in place of others
   * @throws IllegalArgumentException if {@code taskCount < 1}, {@code taskCount > MAX_TASKS}, or a
   *     record has {@code lastTask >= taskCount}
   */
  public static IncrementalPlan of(PlanProblem problem, long taskCount) {
    if (taskCount < 1 || taskCount > MAX_TASKS) {
      throw Message.illegalArgument(
          "taskCount must be from 1 to %d: taskCount=%d", MAX_TASKS, taskCount);
    }
    checkSupported(problem);
    for (int i = 0; i < problem.records().size(); i++) {
      TensorUsageRecord record = problem.records().get(i);
      checkLastTask(record.label(i), record.lastTask(), taskCount);
    }
    return new IncrementalPlan(problem, (int) taskCount);
  }

  /** Throws if a problem has constraints that this class does not support. */
  static void checkSupported(PlanProblem problem) {
    if (problem.reuseGraph().isPresent()) {
      throw new UnsupportedProblemException("an incremental plan does not support reuse graphs");
    }
    if (!problem.inPlace().isEmpty()) {
      throw new UnsupportedProblemException(
          "an incremental plan does not support records in place of others");
    }
    for (int i = 0; i < problem.records().size(); i++) {
      TensorUsageRecord record = problem.records().get(i);
      if (record.pinnedOffset().isPresent()) {
        throw new UnsupportedProblemException(
            "an incremental plan cannot place pinned records: " + record.label(i) + " is pinned");
      }
    }
  }

  private static void checkLastTask(String label, long lastTask, long taskCount) {
    if (lastTask >= taskCount) {
      throw Message.illegalArgument(
          "lastTask of %s must be less than the number of tasks: lastTask=%d, taskCount=%d",
          label, lastTask, taskCount);
    }
  }

  /** {@return the number of records} */
  public int recordCount() {
    return ranks.length;
  }

  /** {@return the number of tasks; each lifetime ends before it} */
  public long taskCount() {
    return taskCount;
  }

  /**
   * {@return the first task of a record}
   *
   * @param record an index into the problem's records
   */
  public long firstTask(int record) {
    return state.firstTasks[ranks[record]];
  }

  /**
   * {@return the last task of a record, inclusive}
   *
   * @param record an index into the problem's records
   */
  public long lastTask(int record) {
    return state.lastTasks[ranks[record]];
  }

  /**
   * Changes the lifetime of a record.
   *
   * <p>To change several lifetimes at once, call this method for each of them before asking for
   * offsets. Costs O(n + log t) for n records and t tasks.
   *
   * @param record an index into the problem's records
   * @param firstTask the task that produces the tensor
   * @param lastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code firstTask < 0}, {@code firstTask > lastTask}, {@code
   *     lastTask >= taskCount()}, or a gap of the record is not within the lifetime
   * @throws IndexOutOfBoundsException if {@code record < 0} or {@code record >= recordCount()}
   */
  public void setLifetime(int record, long firstTask, long lastTask) {
    TensorUsageRecord changed = given.records().get(record).withLifetime(firstTask, lastTask);
    checkLastTask(changed.label(record), lastTask, taskCount);
    int rank = ranks[record];
    if (firstTask != state.firstTasks[rank] || lastTask != state.lastTasks[rank]) {
      change(rank, (int) firstTask, (int) lastTask);
    }
  }

  private void change(int rank, int firstTask, int lastTask) {
    int[] firstTasks = state.firstTasks;
    int[] lastTasks = state.lastTasks;
    int oldFirst = firstTasks[rank];
    int oldLast = lastTasks[rank];
    for (int other = 0; other < bytes.length; other++) {
      boolean overlaps = firstTasks[other] <= lastTask && firstTask <= lastTasks[other];
      boolean didOverlap = firstTasks[other] <= oldLast && oldFirst <= lastTasks[other];
      if (overlaps != didOverlap && other != rank) {
        state.stale.set(Math.max(rank, other));
      }
    }
    load.add(oldFirst, oldLast, -bytes[rank]);
    load.add(firstTask, lastTask, bytes[rank]);
    firstTasks[rank] = firstTask;
    lastTasks[rank] = lastTask;
  }

  /** Computes the stale offsets, and the offsets that depend on them. */
  private void update() {
    BitSet stale = state.stale;
    for (int rank = stale.nextSetBit(0); rank >= 0; rank = stale.nextSetBit(rank)) {
      stale.clear(rank);
      long offset = computedOffset(rank);
      if (offset != state.offsets[rank]) {
        state.offsets[rank] = offset;
        for (int later = rank + 1; later < bytes.length; later++) {
          if (state.overlap(rank, later)) {
            stale.set(later);
          }
        }
      }
    }
  }

  /**
   * {@return the smallest gap between the earlier ranks that overlap a rank; without one, their
   * end}
   *
   * <p>Of ranks with the same offset, the earlier one comes first.
   */
  private long computedOffset(int rank) {
    int count = sortEarlier(rank);
    long free = 0;
    long best = NOT_PLACED;
    long bestBytes = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      long start = state.offsets[earlier[k]];
      if (start - free >= bytes[rank] && start - free < bestBytes) {
        best = free;
        bestBytes = start - free;
      }
      free = Math.max(free, Alignment.up(start + bytes[earlier[k]], alignments[rank]));
    }
    return best == NOT_PLACED ? free : best;
  }

  /** Sorts the earlier ranks that overlap a rank by offset, and {@return their number} */
  private int sortEarlier(int rank) {
    long[] offsets = state.offsets;
    int count = 0;
    for (int other = 0; other < rank; other++) {
      if (state.overlap(rank, other)) {
        int to = count++;
        for (; to > 0 && offsets[earlier[to - 1]] > offsets[other]; to--) {
          earlier[to] = earlier[to - 1];
        }
        earlier[to] = other;
      }
    }
    return count;
  }

  /**
   * {@return the load: the maximum number of bytes live at one task; no arena is smaller}
   *
   * <p>Costs O(1).
   */
  public long loadBytes() {
    return load.maximum();
  }

  /**
   * {@return the size of the tensor arena}
   *
   * <p>Updates the offsets if a lifetime has changed since the last update. An update places a
   * record again only if another record begins or ceases to overlap it, or moves. This costs O(n +
   * p · (n + k²)) for n records if p of them are placed again, and k earlier records overlap each
   * of these.
   */
  public long totalBytes() {
    update();
    long total = 0;
    for (int rank = 0; rank < bytes.length; rank++) {
      total = Math.max(total, state.offsets[rank] + bytes[rank]);
    }
    return total;
  }

  /**
   * {@return the start of a record, in bytes from the start of the tensor arena}
   *
   * <p>Updates the offsets, as {@link #totalBytes} does.
   *
   * @param record an index into the problem's records
   */
  public long offset(int record) {
    update();
    return state.offsets[ranks[record]];
  }

  /**
   * {@return a copy of all offsets}
   *
   * <p>Updates the offsets, as {@link #totalBytes} does. Costs O(n) for n records.
   */
  public OffsetsAssignment assignment() {
    long totalBytes = totalBytes();
    long[] byRecord = new long[ranks.length];
    Arrays.setAll(byRecord, i -> state.offsets[ranks[i]]);
    return OffsetsAssignment.of(byRecord, totalBytes);
  }

  /** {@return the problem with the current lifetimes; O(n) for n records} */
  public PlanProblem problem() {
    List<TensorUsageRecord> records = new ArrayList<>(ranks.length);
    for (int i = 0; i < ranks.length; i++) {
      records.add(given.records().get(i).withLifetime(firstTask(i), lastTask(i)));
    }
    return PlanProblem.of(records).withAlignment(given.alignment());
  }

  /**
   * Remembers the current lifetimes and offsets for {@link #rollback}.
   *
   * <p>Checkpoints may be nested. Each must be ended by {@link #rollback} or {@link #commit}. If
   * the offsets are not up to date, a rollback also takes back the work that updates them. Call
   * {@link #totalBytes} before to keep it. Costs O(n) for n records.
   */
  public void checkpoint() {
    checkpoints.push(state.copy());
  }

  /**
   * Restores the lifetimes and offsets at the last checkpoint, and removes the checkpoint.
   *
   * <p>Costs O(n + c log t) for n records and t tasks, if c records have another lifetime.
   *
   * @throws IllegalStateException if there is no checkpoint
   */
  public void rollback() {
    checkCheckpoint("rollback");
    State before = checkpoints.pop();
    for (int rank = 0; rank < bytes.length; rank++) {
      int first = state.firstTasks[rank];
      int last = state.lastTasks[rank];
      if (first != before.firstTasks[rank] || last != before.lastTasks[rank]) {
        load.add(first, last, -bytes[rank]);
        load.add(before.firstTasks[rank], before.lastTasks[rank], bytes[rank]);
      }
    }
    state = before;
  }

  /**
   * Keeps all changes since the last checkpoint, and removes the checkpoint.
   *
   * <p>A checkpoint outside of it can still take the changes back. Costs O(1).
   *
   * @throws IllegalStateException if there is no checkpoint
   */
  public void commit() {
    checkCheckpoint("commit");
    checkpoints.pop();
  }

  private void checkCheckpoint(String method) {
    if (checkpoints.isEmpty()) {
      throw new IllegalStateException(method + " without a checkpoint: call checkpoint() first");
    }
  }

  /** Throws an {@link AssertionError} with a label if an invariant is violated. O(n²). */
  void checkInvariants() {
    load.checkInvariants();
    if (load.maximum() != TaskLoad.bytes(problem())) {
      throw new AssertionError("C1 load=" + load.maximum());
    }
    for (int rank = 0; rank < bytes.length; rank++) {
      if (!state.stale.get(rank) && state.offsets[rank] != computedOffset(rank)) {
        throw new AssertionError(Message.of("C2 rank %d: offset=%d", rank, state.offsets[rank]));
      }
    }
  }
}
