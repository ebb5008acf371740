package dev.stowage.plan.conflict;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.BitMatrix;
import dev.stowage.plan.base.StepCounter;
import java.util.List;

/** The pairs of records of a problem with a {@link ReuseGraph} that must not share a byte. */
public final class Conflicts {

  /*
   * Two records conflict if their lifetimes have a task in common, or the graph does not permit them
   * to share memory. Gaps refer to a single order and are ignored. The graph yields 64 pairs at a
   * time. Lifetimes are compared only for pairs that the graph permits, and only if one of the two
   * records is live after the start of its last dependent. Otherwise, the record that may follow
   * starts after the end of the other one.
   */

  private final ReuseGraph sharing;
  private final long[] firstTasks;
  private final long[] lastTasks;

  /** The records that may be live after the start of their last dependents, as bits. */
  private final long[] needsComparison;

  Conflicts(PlanProblem problem) {
    ReuseGraph graph = problem.reuseGraph().orElseThrow();
    List<TensorUsageRecord> records = problem.records();
    sharing = graph;
    firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).toArray();
    lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).toArray();
    needsComparison = new long[BitMatrix.wordCount(sharing.recordCount())];
    for (int i = 0; i < firstTasks.length; i++) {
      if (mayOutlast(graph, i)) {
        needsComparison[i >>> 6] |= 1L << i;
      }
    }
  }

  /** {@return true if a record may be live after the start of its last dependent} */
  private boolean mayOutlast(ReuseGraph graph, int record) {
    if (!graph.isUsageGraph()) {
      return true;
    }
    long lastStart = -1;
    for (int dependent : graph.dependents(record)) {
      lastStart = Math.max(lastStart, firstTasks[dependent]);
    }
    return lastTasks[record] > lastStart;
  }

  /** {@return the number of records} */
  int count() {
    return firstTasks.length;
  }

  /** {@return the number of words that hold a bit for each record} */
  int wordCount() {
    return needsComparison.length;
  }

  /** {@return true if two records must not share a byte} */
  public boolean conflict(int a, int b) {
    return a != b && (!sharing.mayShare(a, b) || overlap(a, b));
  }

  private boolean overlap(int a, int b) {
    return firstTasks[a] <= lastTasks[b] && firstTasks[b] <= lastTasks[a];
  }

  /** {@return 64 records as bits, from record {@code 64 * word} on, set for conflicts} */
  long word(int record, int word) {
    long shared = sharing.partnerBits(record, word);
    long conflicting = ~shared & existing(word);
    if (record >>> 6 == word) {
      conflicting &= ~(1L << record);
    }
    boolean compareAll = (needsComparison[record >>> 6] >>> record & 1) != 0;
    for (long bits = compareAll ? shared : shared & needsComparison[word];
        bits != 0;
        bits &= bits - 1) {
      if (overlap(record, (word << 6) + Long.numberOfTrailingZeros(bits))) {
        conflicting |= Long.lowestOneBit(bits);
      }
    }
    return conflicting;
  }

  /** {@return all records as bits, set for conflicts} */
  long[] row(int record) {
    long[] row = new long[wordCount()];
    for (int word = 0; word < row.length; word++) {
      row[word] = word(record, word);
    }
    return row;
  }

  /** {@return the bits of a word that stand for a record} */
  private long existing(int word) {
    int rest = count() - (word << 6);
    return rest >= 64 ? -1 : (1L << rest) - 1;
  }

  /**
   * {@return the number of pairs that conflict}
   *
   * @throws java.util.concurrent.CancellationException if {@code steps} is stopped
   */
  long pairCount(StepCounter steps) {
    long sum = 0; // counts each pair twice
    for (int i = 0; i < count(); i++) {
      steps.check(wordCount());
      for (int word = 0; word < wordCount(); word++) {
        sum += Long.bitCount(word(i, word));
      }
    }
    return sum / 2;
  }

  /**
   * {@return the latest first task of a record and of all records that conflict with it}
   *
   * @param latestStarts the result of {@link #latestStarts}
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

  /** {@return the latest first task of the 64 records of each word} */
  long[] latestStarts() {
    long[] latest = new long[wordCount()];
    for (int i = 0; i < count(); i++) {
      latest[i >>> 6] = Math.max(latest[i >>> 6], firstTasks[i]);
    }
    return latest;
  }
}
