package dev.stowage.tflite.micro;

import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** The calls between the subgraphs of a model. */
final class SubgraphCalls {

  private SubgraphCalls() {}

  /** {@return the given subgraphs, and their callers, directly or through other subgraphs} */
  static BitSet withCallers(List<Subgraph> subgraphs, BitSet some) {
    List<List<Integer>> callers = new ArrayList<>();
    subgraphs.forEach(_ -> callers.add(new ArrayList<>()));
    for (int caller = 0; caller < subgraphs.size(); caller++) {
      for (ModelOperator operator : subgraphs.get(caller).operators()) {
        for (int called : operator.calledSubgraphs()) {
          callers.get(called).add(caller);
        }
      }
    }
    BitSet found = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(some.stream().boxed().toList());
    while (!open.isEmpty()) {
      int next = open.pop();
      if (!found.get(next)) {
        found.set(next);
        open.addAll(callers.get(next));
      }
    }
    return found;
  }
}
