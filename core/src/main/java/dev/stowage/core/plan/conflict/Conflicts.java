package dev.stowage.core.plan.conflict;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.UsageGraph;
import dev.stowage.core.plan.base.BitMatrix;
import dev.stowage.core.plan.base.StepCounter;
import java.util.List;

/** Which records of a problem with a {@link ReuseGraph} may not share a byte. */
public final class Conflicts {

  /*
   * Two records conflict if their lifetimes have a task in common, or the graph does not let them
   * share. Gaps are times of one order and do not count. The bits of the graph answer 64 pairs at a
   * time. Only where the graph lets a pair share are lifetimes compared; not even there, if the
   * record ends with the start of its last dependent: whatever may follow it starts later.
   */

  private final ReallocationGraph sharing;
  private final long[] firstTasks;
  private final long[] lastTasks;

  /** A bit for each record whose lifetime says more than the graph. */
  private final long[] outlives;

  Conflicts(PlanProblem problem) {
    ReuseGraph graph = problem.reuseGraph().orElseThrow();
    List<TensorUsageRecord> records = problem.records();
    sharing = graph.reallocationGraph();
    firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).toArray();
    lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).toArray();
    outlives = new long[BitMatrix.wordCount(sharing.recordCount())];
    for (int i = 0; i < firstTasks.length; i++) {
      if (outlivesDependents(graph, i)) {
        outlives[i >>> 6] |= 1L << i;
      }
    }
  }

  private boolean outlivesDependents(ReuseGraph graph, int record) {
    return switch (graph) {
      case ReallocationGraph ready -> true;
      case UsageGraph usage -> {
        long lastStart = -1;
        for (int dependent : usage.dependents(record)) {
          lastStart = Math.max(lastStart, firstTasks[dependent]);
        }
        yield lastTasks[record] > lastStart;
      }
    };
  }

  int count() {
    return firstTasks.length;
  }

  int wordCount() {
    return outlives.length;
  }

  public boolean conflict(int a, int b) {
    return a != b && (!sharing.mayShare(a, b) || overlap(a, b));
  }

  private boolean overlap(int a, int b) {
    return firstTasks[a] <= lastTasks[b] && firstTasks[b] <= lastTasks[a];
  }

  /** {@return a bit for each of 64 records, from record {@code 64 * word} on, that conflicts} */
  long word(int record, int word) {
    long shared = sharing.partnerBits(record, word);
    long conflicting = ~shared & existing(word);
    if (record >>> 6 == word) {
      conflicting &= ~(1L << record);
    }
    boolean compareAll = (outlives[record >>> 6] >>> record & 1) != 0;
    for (long bits = compareAll ? shared : shared & outlives[word]; bits != 0; bits &= bits - 1) {
      if (overlap(record, (word << 6) + Long.numberOfTrailingZeros(bits))) {
        conflicting |= Long.lowestOneBit(bits);
      }
    }
    return conflicting;
  }

  /** {@return a bit for each record that conflicts} */
  long[] row(int record) {
    long[] row = new long[wordCount()];
    for (int word = 0; word < row.length; word++) {
      row[word] = word(record, word);
    }
    return row;
  }

  private long existing(int word) {
    int rest = count() - (word << 6);
    return rest >= 64 ? -1 : (1L << rest) - 1;
  }

  /**
   * {@return the number of pairs that conflict}
   *
   * @throws java.util.concurrent.CancellationException if the steps are to stop
   */
  long pairCount(StepCounter steps) {
    long ends = 0;
    for (int i = 0; i < count(); i++) {
      steps.check(wordCount());
      for (int word = 0; word < wordCount(); word++) {
        ends += Long.bitCount(word(i, word));
      }
    }
    return ends / 2;
  }

  /**
   * {@return the first task of the record that starts last, among those that conflict with a record
   * and do not start before it; the record's own if there are none}
   *
   * @param latestStarts for each word, the latest first task of its 64 records
   */
  long latestConflictingStart(int record, long[] latestStarts) {
    long latest = firstTasks[record];
    for (int word = 0; word < wordCount(); word++) {
      if (latestStarts[word] > latest) {
        for (long bits = word(record, word); bits != 0; bits &= bits - 1) {
          int other = (word << 6) + Long.numberOfTrailingZeros(bits);
          latest = Math.max(latest, firstTasks[other]);
        }
      }
    }
    return latest;
  }

  /** {@return for each word, the latest first task of its 64 records} */
  long[] latestStarts() {
    long[] latest = new long[wordCount()];
    for (int i = 0; i < count(); i++) {
      latest[i >>> 6] = Math.max(latest[i >>> 6], firstTasks[i]);
    }
    return latest;
  }
}
