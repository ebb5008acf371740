package dev.stowage.plan.search.orders;

import dev.stowage.plan.incremental.OperatorGraph;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The live bytes of a model after a set of its operators has run, and while the next one runs.
 *
 * <p>A set is an array of words of 64 operators. The live bytes depend only on the set, and not on
 * the order of its operators.
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
   * <p>For operators that run from the first to the last. O(n · (n + m) / 64) words for n
   * operators, and m records, dependencies and uses of records.
   *
   * @param stop true to return the bound so far: at least the bytes of the records of each
   *     operator; called for each 64 operators
   */
  long lowerBoundBytes(BooleanSupplier stop) {
    long bound = inputBytes + unusedInputBytes;
    for (int[] used : records) {
      bound = Math.max(bound, Arrays.stream(used).mapToLong(record -> bytes[record]).sum());
    }
    long[] after = new long[operatorCount()];
    long[] before = new long[operatorCount()];
    for (int first = 0; first < after.length && !stop.getAsBoolean(); first += Long.SIZE) {
      bound = Math.max(bound, certainBytes(first, after, before));
    }
    return bound;
  }

  /**
   * {@return the largest sum of the bytes that are live at one of 64 operators in each order}
   *
   * @param first the first of them; bit i of a word stands for operator {@code first + i}
   * @param after gets, for each operator, the operator itself and the operators after it
   * @param before gets, for each operator, the operator itself and the operators before it
   */
  private long certainBytes(int first, long[] after, long[] before) {
    for (int operator = after.length - 1; operator >= 0; operator--) {
      after[operator] = bit(operator, first);
      for (int successor : successors[operator]) {
        after[operator] |= after[successor];
      }
    }
    for (int operator = 0; operator < before.length; operator++) {
      before[operator] = bit(operator, first);
      for (int predecessor : predecessors[operator]) {
        before[operator] |= before[predecessor];
      }
    }
    long[] sums = new long[Long.SIZE];
    for (int record = 0; record < bytes.length; record++) {
      long started = isInput[record] ? -1 : union(after, users[record]);
      long needed = isOutput[record] ? -1 : union(before, users[record]);
      for (long live = started & needed; live != 0; live &= live - 1) {
        sums[Long.numberOfTrailingZeros(live)] += bytes[record];
      }
    }
    int count = Math.min(Long.SIZE, operatorCount() - first);
    return Arrays.stream(sums, 0, count).max().orElse(0);
  }

  private static long bit(int operator, int first) {
    return operator >= first && operator < first + Long.SIZE ? 1L << (operator - first) : 0;
  }

  private static long union(long[] sets, int[] operators) {
    long union = 0;
    for (int operator : operators) {
      union |= sets[operator];
    }
    return union;
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
