package dev.stowage.plan.incremental;

import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The operators of a model and the records that they read and write. They determine legal orders
 * and lifetimes.
 *
 * <p>The operators are given in a legal order. In every other legal order, two operators keep their
 * order if one of them writes a record that the other one reads or writes, or if {@link
 * Operator#after} says so. A record is live from the first to the last operator that reads or
 * writes it, an input from task 0, and an output to the last task.
 */
public final class OperatorGraph {

  private final int recordCount;
  private final BitSet inputs;
  private final BitSet outputs;

  /** The records that each operator reads or writes, each once. */
  final int[][] records;

  /** The operators that read or write each record, ascending. */
  final int[][] users;

  /** Direct dependencies; all others follow from these. */
  final int[][] predecessors;

  final int[][] successors;

  private OperatorGraph(
      int recordCount,
      BitSet inputs,
      BitSet outputs,
      int[][] records,
      int[][] users,
      int[][] predecessors,
      int[][] successors) {
    this.recordCount = recordCount;
    this.inputs = inputs;
    this.outputs = outputs;
    this.records = records;
    this.users = users;
    this.predecessors = predecessors;
    this.successors = successors;
  }

  /**
   * {@return a graph without inputs and outputs}
   *
   * <p>Costs O(m log m) for m reads, writes and dependencies.
   *
   * @param recordCount the number of records
   * @param operators the operators in a legal order
   * @throws IllegalArgumentException if {@code recordCount < 0}, a record is not from 0 to {@code
   *     recordCount - 1}, or an operator of {@link Operator#after} is not an earlier one
   */
  public static OperatorGraph of(int recordCount, List<Operator> operators) {
    if (recordCount < 0) {
      throw new IllegalArgumentException(
          "recordCount must not be negative: recordCount=" + recordCount);
    }
    for (int i = 0; i < operators.size(); i++) {
      checkOperator(operators.get(i), i, recordCount);
    }
    int[][] records =
        operators.stream()
            .map(operator -> distinct(operator.reads(), operator.writes()))
            .toArray(int[][]::new);
    int[][] predecessors = new Dependencies(recordCount).ofAll(operators);
    return new OperatorGraph(
        recordCount,
        new BitSet(),
        new BitSet(),
        records,
        inverse(records, recordCount),
        predecessors,
        inverse(predecessors, operators.size()));
  }

  private static void checkOperator(Operator operator, int index, int recordCount) {
    for (List<Integer> records : List.of(operator.reads(), operator.writes())) {
      for (int record : records) {
        if (record < 0 || record >= recordCount) {
          throw Message.illegalArgument(
              "operator %d uses a record that does not exist: record=%d, recordCount=%d",
              index, record, recordCount);
        }
      }
    }
    for (int before : operator.after()) {
      if (before < 0 || before >= index) {
        throw Message.illegalArgument(
            "operator %d can only be after an earlier operator: after=%d", index, before);
      }
    }
  }

  private static int[] distinct(List<Integer> a, List<Integer> b) {
    return IntStream.concat(
            a.stream().mapToInt(Integer::intValue), b.stream().mapToInt(Integer::intValue))
        .sorted()
        .distinct()
        .toArray();
  }

  /** {@return for each number below {@code count}, the indices of the lists that contain it} */
  private static int[][] inverse(int[][] lists, int count) {
    int[] sizes = new int[count];
    Arrays.stream(lists).flatMapToInt(Arrays::stream).forEach(member -> sizes[member]++);
    int[][] inverse = new int[count][];
    Arrays.setAll(inverse, i -> new int[sizes[i]]);
    for (int i = lists.length - 1; i >= 0; i--) {
      for (int member : lists[i]) {
        inverse[member][--sizes[member]] = i;
      }
    }
    return inverse;
  }

  /**
   * {@return this graph with records that are live from task 0}
   *
   * @param records the indices of the records that the caller writes before the first task
   * @throws IllegalArgumentException if a record is not from 0 to {@code recordCount() - 1}
   */
  public OperatorGraph withInputs(List<Integer> records) {
    return new OperatorGraph(
        recordCount,
        bits("input", records),
        outputs,
        this.records,
        users,
        predecessors,
        successors);
  }

  /**
   * {@return this graph with records that are live to the last task}
   *
   * @param records the indices of the records that the caller reads after the last task
   * @throws IllegalArgumentException if a record is not from 0 to {@code recordCount() - 1}
   */
  public OperatorGraph withOutputs(List<Integer> records) {
    return new OperatorGraph(
        recordCount,
        inputs,
        bits("output", records),
        this.records,
        users,
        predecessors,
        successors);
  }

  private BitSet bits(String kind, List<Integer> indices) {
    BitSet bits = new BitSet();
    for (int index : indices) {
      if (index < 0 || index >= recordCount) {
        throw Message.illegalArgument(
            "an %s is a record that does not exist: record=%d, recordCount=%d",
            kind, index, recordCount);
      }
      bits.set(index);
    }
    return bits;
  }

  /** {@return the number of records} */
  public int recordCount() {
    return recordCount;
  }

  /** {@return the number of operators} */
  public int operatorCount() {
    return records.length;
  }

  /**
   * {@return true if a record is live from task 0}
   *
   * @param record the index of a record
   */
  public boolean isInput(int record) {
    return inputs.get(record);
  }

  /**
   * {@return true if a record is live to the last task}
   *
   * @param record the index of a record
   */
  public boolean isOutput(int record) {
    return outputs.get(record);
  }

  /**
   * {@return a copy of the records that an operator reads or writes, each once, ascending}
   *
   * @param operator the index of an operator
   */
  public int[] records(int operator) {
    return records[operator].clone();
  }

  /**
   * {@return a copy of the operators that read or write a record, ascending}
   *
   * @param record the index of a record
   */
  public int[] users(int record) {
    return users[record].clone();
  }

  /**
   * {@return a copy of the direct predecessors of an operator; other predecessors follow from
   * these}
   *
   * @param operator the index of an operator
   */
  public int[] predecessors(int operator) {
    return predecessors[operator].clone();
  }

  /**
   * {@return a copy of the operators that directly depend on an operator; others follow from these}
   *
   * @param operator the index of an operator
   */
  public int[] successors(int operator) {
    return successors[operator].clone();
  }

  /** The direct dependencies of operators, found in their given order. */
  private static final class Dependencies {

    /*
     * A reader depends on the last writer before it. A writer depends on the last writer before it
     * and on the readers since then. Other dependencies follow from these.
     */

    private static final int NONE = -1;

    private final int[] lastWriters;
    private final List<List<Integer>> readers = new ArrayList<>();

    Dependencies(int recordCount) {
      lastWriters = new int[recordCount];
      Arrays.fill(lastWriters, NONE);
      for (int i = 0; i < recordCount; i++) {
        readers.add(new ArrayList<>());
      }
    }

    int[][] ofAll(List<Operator> operators) {
      int[][] predecessors = new int[operators.size()][];
      Arrays.setAll(predecessors, i -> of(operators.get(i), i));
      return predecessors;
    }

    private int[] of(Operator operator, int index) {
      List<Integer> before = new ArrayList<>(operator.after());
      for (int record : operator.reads()) {
        before.add(lastWriters[record]);
      }
      for (int record : operator.writes()) {
        before.add(lastWriters[record]);
        before.addAll(readers.get(record));
      }
      for (int record : operator.reads()) {
        readers.get(record).add(index);
      }
      for (int record : operator.writes()) {
        lastWriters[record] = index;
        readers.get(record).clear();
      }
      return before.stream()
          .mapToInt(Integer::intValue)
          .filter(other -> other != NONE)
          .sorted()
          .distinct()
          .toArray();
    }
  }
}
