package dev.stowage.plan.search.offsets;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.time.TaskRanks;
import java.util.stream.IntStream;

/** The records of a problem in arrays, with ranks instead of tasks, for the repairs of a plan. */
final class RankedRecords {

  final PlanProblem problem;

  /** The rank of the first task of each record. */
  final int[] first;

  /** The rank of the last task of each record. */
  final int[] last;

  final long[] bytes;

  /** True for records that need some byte at some task and are not pinned. */
  final boolean[] movable;

  /** The records that need some byte at some task. */
  final LifetimeTree lifetimes;

  RankedRecords(PlanProblem problem) {
    this.problem = problem;
    TaskRanks ranks = TaskRanks.of(problem);
    int count = problem.records().size();
    first = new int[count];
    last = new int[count];
    bytes = new long[count];
    movable = new boolean[count];
    for (int i = 0; i < count; i++) {
      TensorUsageRecord record = problem.records().get(i);
      first[i] = ranks.ofFirst(record.firstTask());
      last[i] = ranks.ofLast(record.lastTask());
      bytes[i] = record.bytes();
      movable[i] = PartitionSplit.needsBytes(record) && record.pinnedOffset().isEmpty();
    }
    int[] needed =
        IntStream.range(0, count)
            .filter(i -> PartitionSplit.needsBytes(problem.records().get(i)))
            .toArray();
    lifetimes = new LifetimeTree(needed, first, last);
  }

  int count() {
    return bytes.length;
  }

  /** {@return the end of the last record} */
  long end(long[] offsets) {
    long end = 0;
    for (int i = 0; i < bytes.length; i++) {
      end = Math.max(end, offsets[i] + bytes[i]);
    }
    return end;
  }
}
