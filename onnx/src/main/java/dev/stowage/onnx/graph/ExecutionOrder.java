package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.core.MalformedFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The order in which a graph's operators run: the file's, where each comes after what makes its
 * inputs; else of those that can run the first one in the file, time and again.
 */
final class ExecutionOrder {

  private ExecutionOrder() {}

  /**
   * {@return the places in the file of the operators, as they run}
   *
   * @param source the file, in messages
   * @param nodes the operators
   * @param reads the names that each reads
   * @param makers the place of the operator that makes a name, for each name that one makes
   * @throws MalformedFileException if operators wait for each other
   */
  static int[] of(
      String source,
      List<NodeProto> nodes,
      List<? extends Set<String>> reads,
      Map<String, Integer> makers)
      throws MalformedFileException {
    int count = nodes.size();
    int[] missing = new int[count];
    List<List<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      readers.add(new ArrayList<>());
    }
    for (int i = 0; i < count; i++) {
      for (String name : reads.get(i)) {
        Integer maker = makers.get(name);
        if (maker != null) {
          missing[i]++;
          readers.get(maker).add(i);
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
      int stuck = onCycle(reads, makers, missing);
      throw new MalformedFileException(
          source,
          GraphNode.describe(stuck, nodes.get(stuck)),
          "waits for its own result, directly or through others; expected a graph without cycles");
    }
    return order;
  }

  /** {@return the first in the file of some operators that wait for each other} */
  private static int onCycle(
      List<? extends Set<String>> reads, Map<String, Integer> makers, int[] missing) {
    int at = 0;
    while (missing[at] == 0) {
      at++;
    }
    // Whoever waits, waits for one that waits: a walk that way ends on a cycle.
    BitSet visited = new BitSet();
    while (!visited.get(at)) {
      visited.set(at);
      at = waitsFor(at, reads, makers, missing);
    }
    int first = at;
    for (int i = waitsFor(at, reads, makers, missing);
        i != at;
        i = waitsFor(i, reads, makers, missing)) {
      first = Math.min(first, i);
    }
    return first;
  }

  private static int waitsFor(
      int waiting, List<? extends Set<String>> reads, Map<String, Integer> makers, int[] missing) {
    return reads.get(waiting).stream()
        .map(makers::get)
        .filter(maker -> maker != null && missing[maker] > 0)
        .findFirst()
        .orElseThrow();
  }

  /** {@return whether an order is that of the file} */
  static boolean isThatOfTheFile(int[] order) {
    return Arrays.equals(order, IntStream.range(0, order.length).toArray());
  }
}
