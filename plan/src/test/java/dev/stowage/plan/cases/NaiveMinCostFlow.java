package dev.stowage.plan.cases;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The flow network of the reference program, with all edges in memory. Each edge is followed by its
 * reverse.
 */
public final class NaiveMinCostFlow {

  @SuppressWarnings("ArrayRecordComponent") // mutable capacity
  private record Edge(int to, long cost, int[] capacity) {}

  private final List<TensorUsageRecord> records;
  private final List<Edge> edges = new ArrayList<>();
  private final List<List<Integer>> adjacent = new ArrayList<>();
  private final int source;
  private final int sink;

  public NaiveMinCostFlow(List<TensorUsageRecord> records) {
    this.records = records;
    int n = records.size();
    source = 2 * n;
    sink = 2 * n + 1;
    for (int v = 0; v < 2 * n + 2; v++) {
      adjacent.add(new ArrayList<>());
    }
    List<Integer> ended = new ArrayList<>();
    List<Integer> live = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      long first = records.get(i).firstTask();
      live.sort(
          Comparator.<Integer>comparingLong(r -> records.get(r).lastTask())
              .thenComparingInt(r -> r));
      while (!live.isEmpty() && records.get(live.getFirst()).lastTask() < first) {
        ended.add(live.removeFirst());
      }
      live.add(i);
      connect(source, i, 0);
      connect(n + i, sink, 0);
      connect(source, n + i, records.get(i).bytes());
      for (int r : ended) {
        connect(r, n + i, Math.max(0, records.get(i).bytes() - records.get(r).bytes()));
      }
    }
  }

  private void connect(int from, int to, long cost) {
    adjacent.get(from).add(edges.size());
    edges.add(new Edge(to, cost, new int[] {1}));
    adjacent.get(to).add(edges.size());
    edges.add(new Edge(from, -cost, new int[] {0}));
  }

  /** {@return the objects of the minimum-cost flow} */
  public NaivePlanners.Objects objects() {
    while (augment()) {
      // Each call adds one unit of flow.
    }
    int n = records.size();
    NaivePlanners.Objects objects = new NaivePlanners.Objects(new int[n], new ArrayList<>());
    for (int e : adjacent.get(source)) {
      Edge edge = edges.get(e);
      if (edge.to >= n && edge.to < 2 * n && edge.capacity[0] == 0) {
        objects.bytes().add(0L);
        collect(edge.to - n, objects);
      }
    }
    return objects;
  }

  private void collect(int i, NaivePlanners.Objects objects) {
    int object = objects.bytes().size() - 1;
    objects.ids()[i] = object;
    objects.bytes().set(object, Math.max(objects.bytes().get(object), records.get(i).bytes()));
    for (int e : adjacent.get(i)) {
      Edge edge = edges.get(e);
      if (e % 2 == 0 && edge.capacity[0] == 0) {
        collect(edge.to - records.size(), objects);
      }
    }
  }

  /** Adds a unit of flow along a shortest path, if there is one; Bellman-Ford in rounds. */
  private boolean augment() {
    long[] distance = new long[adjacent.size()];
    Arrays.fill(distance, Long.MAX_VALUE);
    int[] edgeTo = new int[adjacent.size()];
    distance[source] = 0;
    List<Integer> current = List.of(source);
    while (!current.isEmpty()) {
      List<Integer> next = new ArrayList<>();
      for (int v : current) {
        for (int e : adjacent.get(v)) {
          Edge edge = edges.get(e);
          if (edge.capacity[0] > 0 && distance[v] + edge.cost < distance[edge.to]) {
            distance[edge.to] = distance[v] + edge.cost;
            edgeTo[edge.to] = e;
            if (!next.contains(edge.to)) {
              next.add(edge.to);
            }
          }
        }
      }
      current = next;
    }
    if (distance[sink] == Long.MAX_VALUE) {
      return false;
    }
    for (int v = sink; v != source; v = edges.get(edgeTo[v] ^ 1).to) {
      edges.get(edgeTo[v]).capacity[0]--;
      edges.get(edgeTo[v] ^ 1).capacity[0]++;
    }
    return true;
  }
}
