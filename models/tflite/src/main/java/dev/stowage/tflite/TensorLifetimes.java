package dev.stowage.tflite;

import dev.stowage.plan.TensorUses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The tasks that write and read the tensors of a subgraph, added in execution order. */
final class TensorLifetimes {

  private static final int NONE = -1;

  private final int operatorCount;
  private final int[] firstTasks;
  private final int[] lastTasks;
  private final List<List<Integer>> readers = new ArrayList<>();
  private final BitSet graphInputs = new BitSet();
  private final BitSet graphOutputs = new BitSet();
  private final IntStream.Builder graphInputOrder = IntStream.builder();
  private final IntStream.Builder writeOrder = IntStream.builder();

  TensorLifetimes(int tensorCount, int operatorCount) {
    this.operatorCount = operatorCount;
    firstTasks = new int[tensorCount];
    lastTasks = new int[tensorCount];
    Arrays.fill(firstTasks, NONE);
    Arrays.fill(lastTasks, NONE);
    for (int tensor = 0; tensor < tensorCount; tensor++) {
      readers.add(new ArrayList<>());
    }
  }

  void addGraphInput(int tensor) {
    if (!graphInputs.get(tensor)) {
      graphInputs.set(tensor);
      graphInputOrder.add(tensor);
    }
  }

  void addGraphOutput(int tensor) {
    graphOutputs.set(tensor);
  }

  void read(int tensor, int task) {
    lastTasks[tensor] = task;
    List<Integer> tasks = readers.get(tensor);
    if (tasks.isEmpty() || tasks.getLast() != task) {
      tasks.add(task);
    }
  }

  /** Adds a task that writes a tensor. Between two writes, the tensor keeps its memory. */
  void write(int tensor, int task) {
    if (firstTasks[tensor] == NONE) {
      firstTasks[tensor] = task;
      writeOrder.add(tensor);
    }
    lastTasks[tensor] = task;
  }

  /** {@return true if a task so far reads a tensor that neither a task nor the caller writes} */
  boolean isReadBeforeWritten(int tensor) {
    return firstTasks[tensor] == NONE && lastTasks[tensor] != NONE && !graphInputs.get(tensor);
  }

  /**
   * {@return true if tasks or the caller read a tensor that neither a task nor the caller writes}
   */
  boolean isUncomputed(int tensor) {
    return firstTasks[tensor] == NONE
        && !graphInputs.get(tensor)
        && (lastTasks[tensor] != NONE || graphOutputs.get(tensor));
  }

  /** {@return the last task so far that reads a tensor before its first write} */
  int lastReader(int tensor) {
    return lastTasks[tensor];
  }

  /** {@return the tasks so far that write and read a tensor} */
  TensorUses uses(int tensor) {
    return new TensorUses(
        isGraphInput(tensor) || firstTasks[tensor] == NONE
            ? OptionalInt.empty()
            : OptionalInt.of(firstTasks[tensor]),
        readers.get(tensor));
  }

  int operatorCount() {
    return operatorCount;
  }

  boolean isGraphInput(int tensor) {
    return graphInputs.get(tensor);
  }

  boolean isGraphOutput(int tensor) {
    return graphOutputs.get(tensor);
  }

  /** {@return the graph inputs, each once, in the order of the subgraph} */
  int[] graphInputs() {
    return graphInputOrder.build().toArray();
  }

  /** {@return the tensors that tasks write, in the order of tasks and of the outputs of a task} */
  int[] written() {
    return writeOrder.build().toArray();
  }

  /** {@return the first task that needs the memory of a graph input or of a written tensor} */
  int firstTask(int tensor) {
    return isGraphInput(tensor) ? 0 : firstTasks[tensor];
  }

  /** {@return the last task that needs a graph input or a written tensor} */
  int lastTask(int tensor) {
    return Math.max(0, isGraphOutput(tensor) ? operatorCount - 1 : lastTasks[tensor]);
  }
}
