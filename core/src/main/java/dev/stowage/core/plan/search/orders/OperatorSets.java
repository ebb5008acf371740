package dev.stowage.core.plan.search.orders;

import dev.stowage.core.plan.incremental.OperatorGraph;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The live bytes of a model after a set of its operators has run, and while the next one runs.
 *
 * <p>A set is an array of words of 64 operators. The live bytes depend only on the set, and not on
 * the order in which its operators ran.
 */
final class OperatorSets {

  private final boolean[] isInput;
  private final boolean[] isOutput;
  private final int[][] successors;
  private final long[] bytes;
  private final int words;
  private final int[][] records;
  private final int[][] predecessors;
  private final int[][] users;
  private final long inputBytes;
  private final long unusedInputBytes;

  private OperatorSets(OperatorGraph graph, long[] bytes, boolean isForward) {
    this.bytes = bytes;
    words = Math.ceilDiv(graph.operatorCount(), Long.SIZE);
    records = new int[graph.operatorCount()][];
    Arrays.setAll(records, graph::records);
    successors = new int[records.length][];
    Arrays.setAll(successors, isForward ? graph::successors : graph::predecessors);
    predecessors = new int[records.length][];
    Arrays.setAll(predecessors, isForward ? graph::predecessors : graph::successors);
    users = new int[graph.recordCount()][];
    Arrays.setAll(users, graph::users);
    isInput = new boolean[bytes.length];
    isOutput = new boolean[bytes.length];
    long usedBytes = 0;
    long unusedBytes = 0;
    for (int record = 0; record < bytes.length; record++) {
      isInput[record] = isForward ? graph.isInput(record) : graph.isOutput(record);
      isOutput[record] = isForward ? graph.isOutput(record) : graph.isInput(record);
      if (isInput[record]) {
        boolean isUsed = isOutput[record] || users[record].length > 0;
        usedBytes += isUsed ? bytes[record] : 0;
        unusedBytes += isUsed ? 0 : bytes[record];
      }
    }
    inputBytes = usedBytes;
    unusedInputBytes = unusedBytes;
  }

  /** {@return the operators of a graph, which run from the first to the last} */
  static OperatorSets of(OperatorGraph graph, long[] bytes) {
    return new OperatorSets(graph, bytes, true);
  }

  /**
   * {@return the operators of a graph without unused inputs, which run from the last to the first}
   */
  static OperatorSets backward(OperatorGraph graph, long[] bytes) {
    return new OperatorSets(graph, bytes, false);
  }

  int operatorCount() {
    return records.length;
  }

  /** {@return the words of a set} */
  int words() {
    return words;
  }

  static void add(long[] set, int operator) {
    set[operator >> 6] |= 1L << operator;
  }

  static boolean contains(long[] set, int operator) {
    return (set[operator >> 6] >> operator & 1) != 0;
  }

  /** {@return the operators that can run next, in ascending order} */
  int[] ready(long[] set) {
    return IntStream.range(0, records.length).filter(operator -> isReady(set, operator)).toArray();
  }

  /** {@return the operators that directly depend on an operator} */
  int[] successors(int operator) {
    return successors[operator];
  }

  /** {@return true if the set contains all operators} */
  boolean isComplete(long[] set) {
    int count = 0;
    for (long word : set) {
      count += Long.bitCount(word);
    }
    return count == operatorCount();
  }

  /** {@return true if an operator can run next} */
  boolean isReady(long[] set, int operator) {
    return !contains(set, operator) && containsAll(set, predecessors[operator]);
  }

  /** {@return the bytes of the inputs that operators or the caller read later} */
  long inputBytes() {
    return inputBytes;
  }

  /** {@return true if an input has bytes, although no operator and no caller reads it} */
  boolean hasUnusedInputs() {
    return unusedInputBytes > 0;
  }

  /** {@return the bytes that become live when an operator starts after a set} */
  long startingBytes(long[] set, int operator) {
    long sum = unusedInputBytes(set);
    for (int record : records[operator]) {
      if (!isInput[record] && !intersects(set, users[record])) {
        sum += bytes[record];
      }
    }
    return sum;
  }

  /** {@return the bytes that are no longer live when an operator has run after a set} */
  long endingBytes(long[] set, int operator) {
    long sum = unusedInputBytes(set);
    for (int record : records[operator]) {
      if (!isOutput[record] && containsAllBut(set, users[record], operator)) {
        sum += bytes[record];
      }
    }
    return sum;
  }

  /** {@return the bytes of inputs that are live only while the first operator runs} */
  private long unusedInputBytes(long[] set) {
    if (unusedInputBytes == 0) {
      return 0;
    }
    for (long word : set) {
      if (word != 0) {
        return 0;
      }
    }
    return unusedInputBytes;
  }

  /**
   * {@return a lower bound of the load of all orders: the largest sum of the bytes that are live at
   * an operator in each order}
   *
   * <p>For operators that run from the first to the last. O(n²) words for n operators and O(n · m)
   * words for m records.
   */
  long lowerBoundBytes() {
    int count = predecessors.length;
    long[][] before = new long[count][words];
    for (int operator = 0; operator < count; operator++) {
      add(before[operator], operator);
      for (int successor : successors[operator]) {
        addAll(before[successor], before[operator]);
      }
    }
    long[][] after = new long[count][words];
    long bound = inputBytes + unusedInputBytes;
    for (int operator = count - 1; operator >= 0; operator--) {
      add(after[operator], operator);
      for (int successor : successors[operator]) {
        addAll(after[operator], after[successor]);
      }
      bound = Math.max(bound, certainBytes(before[operator], after[operator]));
    }
    return bound;
  }

  private long certainBytes(long[] before, long[] after) {
    long sum = 0;
    for (int record = 0; record < bytes.length; record++) {
      boolean hasStarted = isInput[record] || intersects(before, users[record]);
      boolean isNeeded = isOutput[record] || intersects(after, users[record]);
      sum += hasStarted && isNeeded ? bytes[record] : 0;
    }
    return sum;
  }

  private static void addAll(long[] set, long[] others) {
    for (int k = 0; k < set.length; k++) {
      set[k] |= others[k];
    }
  }

  private static boolean intersects(long[] set, int[] operators) {
    for (int operator : operators) {
      if (contains(set, operator)) {
        return true;
      }
    }
    return false;
  }

  private static boolean containsAll(long[] set, int[] operators) {
    for (int operator : operators) {
      if (!contains(set, operator)) {
        return false;
      }
    }
    return true;
  }

  /** {@return true if a set contains all of the operators, except perhaps one} */
  private static boolean containsAllBut(long[] set, int[] operators, int except) {
    for (int operator : operators) {
      if (operator != except && !contains(set, operator)) {
        return false;
      }
    }
    return true;
  }
}
