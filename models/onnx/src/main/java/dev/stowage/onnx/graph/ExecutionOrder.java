package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The order of execution of the operators of a graph. It is the order of the file if each operator
 * comes after the producers of its inputs. Otherwise, the first operator of the file with available
 * inputs runs next.
 */
final class ExecutionOrder {

  private ExecutionOrder() {}

  /**
   * {@return the indices of the operators in the file, in the order of execution}
   *
   * @param source the name of the file in messages
   * @param nodes the operators
   * @param reads the names that each operator reads
   * @param producers the index of the operator that computes a name, by the name
   * @throws MalformedFileException if the graph has a cycle
   */
  static int[] of(
      String source,
      List<NodeProto> nodes,
      List<? extends Set<String>> reads,
      Map<String, Integer> producers)
      throws MalformedFileException {
    int count = nodes.size();
    int[] missing = new int[count];
    List<List<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      readers.add(new ArrayList<>());
    }
    for (int i = 0; i < count; i++) {
      for (String name : reads.get(i)) {
        Integer producer = producers.get(name);
        if (producer != null) {
          missing[i]++;
          readers.get(producer).add(i);
        }
      }
    }
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int i = 0; i < count; i++) {
      if (missing[i] == 0) {
        ready.add(i);
      }
    }
    int[] order = new int[count];
    int done = 0;
    while (!ready.isEmpty()) {
      int next = ready.remove();
      order[done++] = next;
      for (int reader : readers.get(next)) {
        if (--missing[reader] == 0) {
          ready.add(reader);
        }
      }
    }
    if (done < count) {
      int stuck = firstOfCycle(reads, producers, missing);
      throw new MalformedFileException(
          source,
          GraphNode.describe(stuck, nodes.get(stuck)),
          "depends on its own result, expected a graph without cycles");
    }
    return order;
  }

  /** {@return the first operator in the file of a cycle} */
  private static int firstOfCycle(
      List<? extends Set<String>> reads, Map<String, Integer> producers, int[] missing) {
    int at = 0;
    while (missing[at] == 0) {
      at++;
    }
    // Each waiting operator waits for another one, so that following them leads to a cycle.
    BitSet visited = new BitSet();
    while (!visited.get(at)) {
      visited.set(at);
      at = missingProducer(at, reads, producers, missing);
    }
    int first = at;
    for (int i = missingProducer(at, reads, producers, missing);
        i != at;
        i = missingProducer(i, reads, producers, missing)) {
      first = Math.min(first, i);
    }
    return first;
  }

  private static int missingProducer(
      int waiting,
      List<? extends Set<String>> reads,
      Map<String, Integer> producers,
      int[] missing) {
    return reads.get(waiting).stream()
        .map(producers::get)
        .filter(producer -> producer != null && missing[producer] > 0)
        .findFirst()
        .orElseThrow();
  }

  /** {@return true if an order is the order of the file} */
  static boolean isFileOrder(int[] order) {
    return Arrays.equals(order, IntStream.range(0, order.length).toArray());
  }
}
