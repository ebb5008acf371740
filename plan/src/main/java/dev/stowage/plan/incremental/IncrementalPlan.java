package dev.stowage.plan.incremental;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
 * <p>A plan of n records needs n² / 8 bytes for the pairs of records that overlap, up to 72 bytes
 * for each task and about 70 bytes for each record: together 14 MB for 10,000 records and tasks,
 * and 1.3 GB for 100,000. For one thread.
 *
 * @see OperatorOrder
 */
public final class IncrementalPlan {

  /** The maximum number of records; the pairs that overlap then take 1.25 GB. */
  public static final int MAX_RECORDS = 100_000;

  /** The maximum number of tasks. */
  public static final int MAX_TASKS = 1 << 24;

  /*
   * The parts identify a record by its rank: its position in the order of GREEDY_BY_SIZE, by
   * descending size. This order does not depend on lifetimes.
   *
   *   LoadTree       the live bytes at each task: C1
   *   LiveOverlaps   the lifetimes, and the pairs of records that overlap: C2, C3
   *   GreedyOffsets  the offsets, and which of them are stale: C4, C5
   */

  private final PlanProblem given;
  private final int taskCount;
  private final int[] ranks;
  private final long[] bytes;

  /** The tasks that a record's lifetime must contain, since it has gaps there; by record. */
  private final int[] firstGapTasks;

  private final int[] lastGapTasks;

  private final LoadTree load;
  private final LiveOverlaps overlaps;
  private final GreedyOffsets offsets;

  /** The first task, last task and rank of each change since the outermost checkpoint. */
  private final LongStack changes = new LongStack();

  /** The number of entries in `changes` at each checkpoint. */
  private final LongStack checkpoints = new LongStack();

  private IncrementalPlan(PlanProblem problem, int taskCount) {
    given = problem;
    this.taskCount = taskCount;
    List<TensorUsageRecord> records = problem.records();
    int count = records.size();
    int[] order = IndexOrder.descending(count, i -> records.get(i).bytes());
    ranks = new int[count];
    bytes = new long[count];
    firstGapTasks = new int[count];
    lastGapTasks = new int[count];
    load = new LoadTree(taskCount);
    int[] firstTasks = new int[count];
    int[] lastTasks = new int[count];
    for (int rank = 0; rank < count; rank++) {
      TensorUsageRecord record = records.get(order[rank]);
      ranks[order[rank]] = rank;
      firstTasks[rank] = (int) record.firstTask();
      lastTasks[rank] = (int) record.lastTask();
      bytes[rank] = record.bytes();
      load.add(firstTasks[rank], lastTasks[rank], bytes[rank]);
      addGaps(order[rank], record);
    }
    overlaps = new LiveOverlaps(firstTasks, lastTasks, taskCount);
    offsets = new GreedyOffsets(problem, order, overlaps);
  }

  /** Subtracts the bytes that a record does not need in its gaps, which never change. */
  private void addGaps(int index, TensorUsageRecord record) {
    firstGapTasks[index] = Integer.MAX_VALUE;
    lastGapTasks[index] = -1;
    for (Gap gap : record.gaps()) {
      int first = (int) gap.firstTask();
      int last = (int) gap.lastTask();
      load.add(first, last, gap.windowBytes() - record.bytes());
      firstGapTasks[index] = Math.min(firstGapTasks[index], first);
      lastGapTasks[index] = Math.max(lastGapTasks[index], last);
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
   * occupies its bytes throughout its lifetime. Its gaps stay at the same tasks. Costs O(n² / 64 +
   * t) for n records and t tasks.
   *
   * @param problem the records; their lifetimes may change
   * @param taskCount the number of tasks; each lifetime ends before it
   * @throws IllegalArgumentException if a record is pinned, or the problem has a reuse graph or
   *     records in place of others
   * @throws IllegalArgumentException if {@code taskCount < 1}, {@code taskCount > MAX_TASKS}, a
   *     record has {@code lastTask >= taskCount}, or there are more than {@link #MAX_RECORDS}
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

  /** Throws if a problem has too many records, or constraints that this class does not support. */
  static void checkSupported(PlanProblem problem) {
    int count = problem.records().size();
    if (count > MAX_RECORDS) {
      throw Message.illegalArgument(
          "an incremental plan has at most %d records: records=%d", MAX_RECORDS, count);
    }
    if (problem.reuseGraph().isPresent()) {
      throw new UnsupportedProblemException("an incremental plan does not support reuse graphs");
    }
    if (!problem.inPlace().isEmpty()) {
      throw new UnsupportedProblemException(
          "an incremental plan does not support records in place of others");
    }
    for (int i = 0; i < count; i++) {
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
    return overlaps.firstTask(ranks[record]);
  }

  /**
   * {@return the last task of a record, inclusive}
   *
   * @param record an index into the problem's records
   */
  public long lastTask(int record) {
    return overlaps.lastTask(ranks[record]);
  }

  /**
   * Changes the lifetime of a record.
   *
   * <p>To change several lifetimes at once, call this method for each of them before asking for
   * offsets. Costs O(log t + d + r) for t tasks if both ends move by d tasks together, and r
   * records start or end at these.
   *
   * @param record an index into the problem's records
   * @param firstTask the task that produces the tensor
   * @param lastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code firstTask < 0}, {@code firstTask > lastTask}, {@code
   *     lastTask >= taskCount()}, or a gap of the record is not within the lifetime
   * @throws IndexOutOfBoundsException if {@code record < 0} or {@code record >= recordCount()}
   */
  public void setLifetime(int record, long firstTask, long lastTask) {
    Objects.checkIndex(record, ranks.length);
    if (firstTask < 0
        || firstTask > lastTask
        || lastTask >= taskCount
        || firstTask > firstGapTasks[record]
        || lastTask < lastGapTasks[record]) {
      rejectLifetime(record, firstTask, lastTask);
    }
    int rank = ranks[record];
    int oldFirst = overlaps.firstTask(rank);
    int oldLast = overlaps.lastTask(rank);
    if (firstTask == oldFirst && lastTask == oldLast) {
      return;
    }
    if (!checkpoints.isEmpty()) {
      changes.push(oldFirst);
      changes.push(oldLast);
      changes.push(rank);
    }
    change(rank, (int) firstTask, (int) lastTask);
  }

  /**
   * Throws the exception of a usage record for a wrong lifetime, or an exception for a task beyond
   * the last one.
   */
  private void rejectLifetime(int record, long firstTask, long lastTask) {
    TensorUsageRecord changed = given.records().get(record).withLifetime(firstTask, lastTask);
    checkLastTask(changed.label(record), lastTask, taskCount);
  }

  private void change(int rank, int firstTask, int lastTask) {
    load.add(overlaps.firstTask(rank), overlaps.lastTask(rank), -bytes[rank]);
    load.add(firstTask, lastTask, bytes[rank]);
    overlaps.setLifetime(rank, firstTask, lastTask, offsets.stale());
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
   * record again only if another record begins or ceases to overlap it, or moves. This costs O(n /
   * 64 + p · (n / 64 + k)) for n records if p of them are placed again, and k earlier records
   * overlap each of these; and O(n) if the record at the end of the arena moves down.
   */
  public long totalBytes() {
    offsets.update();
    return offsets.totalBytes();
  }

  /**
   * {@return the start of a record, in bytes from the start of the tensor arena}
   *
   * <p>Updates the offsets, as {@link #totalBytes} does.
   *
   * @param record an index into the problem's records
   */
  public long offset(int record) {
    offsets.update();
    return offsets.offset(ranks[record]);
  }

  /**
   * {@return a copy of all offsets}
   *
   * <p>Updates the offsets, as {@link #totalBytes} does. Costs O(n) for n records.
   */
  public OffsetsAssignment assignment() {
    offsets.update();
    long[] byRecord = new long[ranks.length];
    for (int i = 0; i < byRecord.length; i++) {
      byRecord[i] = offsets.offset(ranks[i]);
    }
    return OffsetsAssignment.of(byRecord, offsets.totalBytes());
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
   * {@link #totalBytes} before to keep it. Costs O(n / 64) for n records. Until the outermost
   * checkpoint ends, each change takes about 40 bytes.
   */
  public void checkpoint() {
    checkpoints.push(changes.size());
    offsets.checkpoint();
  }

  /**
   * Restores the lifetimes and offsets at the last checkpoint, and removes the checkpoint.
   *
   * <p>Costs as much as the changes, but computes no offset.
   *
   * @throws IllegalStateException if there is no checkpoint
   */
  public void rollback() {
    checkCheckpoint("rollback");
    long size = checkpoints.pop();
    while (changes.size() > size) {
      int rank = (int) changes.pop();
      int lastTask = (int) changes.pop();
      int firstTask = (int) changes.pop();
      change(rank, firstTask, lastTask);
    }
    offsets.rollback();
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
    if (checkpoints.isEmpty()) {
      changes.shrinkTo(0);
    }
    offsets.commit();
  }

  private void checkCheckpoint(String method) {
    if (checkpoints.isEmpty()) {
      throw new IllegalStateException(method + " without a checkpoint: call checkpoint() first");
    }
  }

  /** Throws an {@link AssertionError} with a label if an invariant is violated. O(n²). */
  void checkInvariants() {
    load.checkInvariants();
    overlaps.checkInvariants();
    offsets.checkInvariants();
  }
}
