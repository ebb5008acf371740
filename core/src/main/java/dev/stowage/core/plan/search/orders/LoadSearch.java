package dev.stowage.core.plan.search.orders;

import dev.stowage.core.plan.incremental.OperatorGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A search for an order of operators with the smallest load. */
public final class LoadSearch {

  /*
   * A set of executed operators determines the live bytes, so all orders that execute it first continue
   * in the same way. The search therefore visits sets, each with the smallest load of an order that
   * executes it: Dijkstra's algorithm with maximums instead of sums. The first complete set that it
   * visits has the smallest load of all orders. The load of the next set is always a lower bound.
   *
   * An operator that needs no more than the load so far, and after which no more bytes are live than
   * before it, can run at once. The orders in which it runs later have no smaller load: after any further
   * operators, it adds as many bytes or fewer, and it ends the lives of as many or more. In a network, this
   * leaves few sets, because most operators follow from the first of a branch.
   *
   * If memory or time ends the search, a beam search continues: it keeps the best sets of equal numbers of
   * operators. The width of the beam doubles until the time is over.
   */

  /** The memory of the sets, beyond which the exact search ends. */
  private static final long MAX_SETS_BYTES = 256L << 20;

  private static final int FIRST_BEAM_WIDTH = 8;
  private static final int MAX_BEAM_WIDTH = 4096;

  /** A set to visit, which later ones with equal loads precede. */
  private record Visit(long load, int sequence, int set) {

    static final Comparator<Visit> ORDER =
        Comparator.comparingLong(Visit::load)
            .thenComparing(Comparator.comparingInt(Visit::sequence).reversed());
  }

  /** An operator that can run next. */
  private record Choice(int operator, long load, long liveBytes) {}

  private final OperatorSets sets;
  private final BooleanSupplier stop;
  private int[] best;
  private long bestLoad;
  private long lowerBound;

  /**
   * Creates a search that starts from the given order.
   *
   * @param graph the operators
   * @param bytes the sizes of the records
   * @param givenLoad the load of the order in which the operators are given
   * @param stop true to end the search; called for each set
   */
  public LoadSearch(OperatorGraph graph, long[] bytes, long givenLoad, BooleanSupplier stop) {
    sets = new OperatorSets(graph, bytes);
    this.stop = stop;
    best = IntStream.range(0, graph.operatorCount()).toArray();
    bestLoad = givenLoad;
    lowerBound = Math.min(givenLoad, sets.lowerBoundBytes());
  }

  /** {@return the operators in the best order found} */
  public int[] order() {
    return best;
  }

  /** {@return the load of the best order found} */
  public long loadBytes() {
    return bestLoad;
  }

  /** {@return the proved lower bound of the loads of all orders} */
  public long lowerBoundBytes() {
    return lowerBound;
  }

  /** Searches until an order is optimal, or until the search is stopped. */
  public void run() {
    if (bestLoad > lowerBound) {
      searchBeam(FIRST_BEAM_WIDTH); // a small load ends many branches of the exact search
    }
    if (bestLoad > lowerBound) {
      searchAll();
    }
    for (int width = 2 * FIRST_BEAM_WIDTH;
        bestLoad > lowerBound && width <= MAX_BEAM_WIDTH && !stop.getAsBoolean();
        width *= 2) {
      searchBeam(width);
    }
  }

  /** Visits sets by ascending load until one is complete, or memory or time is over. */
  private void searchAll() {
    ExecutedSets executed = new ExecutedSets(sets.words());
    long maxSets = MAX_SETS_BYTES / ExecutedSets.bytesPerSet(sets.words());
    PriorityQueue<Visit> queue = new PriorityQueue<>(Visit.ORDER);
    long[] set = new long[sets.words()];
    int first = executed.offer(set, sets.inputBytes(), lowerBound, -1, -1);
    queue.add(new Visit(lowerBound, 0, first));
    int sequence = 0;
    while (!queue.isEmpty()) {
      Visit visit = queue.remove();
      if (visit.load() > executed.load(visit.set())) {
        continue; // visited with a smaller load
      }
      lowerBound = visit.load();
      executed.copyTo(visit.set(), set);
      if (sets.isComplete(set)) {
        best = path(executed, visit.set());
        bestLoad = visit.load();
        return;
      }
      if (executed.count() > maxSets || stop.getAsBoolean()) {
        return;
      }
      for (Choice choice : choices(set, executed.liveBytes(visit.set()), visit.load())) {
        if (choice.load() < bestLoad) {
          long[] next = set.clone();
          long liveBytes = runAll(next, choice, new ArrayList<>());
          int index =
              executed.offer(next, liveBytes, choice.load(), visit.set(), choice.operator());
          if (index >= 0) {
            queue.add(new Visit(choice.load(), ++sequence, index));
          }
        }
      }
    }
    lowerBound = bestLoad;
  }

  /** {@return the operators that can run next, those that leave the fewest live bytes last} */
  private List<Choice> choices(long[] set, long liveBytes, long load) {
    List<Choice> choices = new ArrayList<>();
    for (int operator = 0; operator < sets.operatorCount(); operator++) {
      if (sets.isReady(set, operator)) {
        long during = liveBytes + sets.startingBytes(set, operator);
        long after = during - sets.endingBytes(set, operator);
        choices.add(new Choice(operator, Math.max(load, during), after));
      }
    }
    choices.sort(
        Comparator.comparingLong(Choice::liveBytes).thenComparingInt(Choice::operator).reversed());
    return choices;
  }

  /**
   * Runs an operator, and then all operators that can run at once.
   *
   * @param set the operators that have run, to which the new ones are added
   * @param path gets the new ones in order
   * @return the live bytes then
   */
  private long runAll(long[] set, Choice choice, List<Integer> path) {
    long liveBytes = choice.liveBytes();
    OperatorSets.add(set, choice.operator());
    path.add(choice.operator());
    boolean hasRun = true;
    while (hasRun) {
      hasRun = false;
      for (int operator = 0; operator < sets.operatorCount(); operator++) {
        if (sets.isReady(set, operator)) {
          long starting = sets.startingBytes(set, operator);
          long ending = sets.endingBytes(set, operator);
          if (starting <= ending && liveBytes + starting <= choice.load()) {
            OperatorSets.add(set, operator);
            path.add(operator);
            liveBytes += starting - ending;
            hasRun = true;
          }
        }
      }
    }
    return liveBytes;
  }

  /** {@return the order in which a complete set was executed} */
  private int[] path(ExecutedSets executed, int complete) {
    Deque<Integer> indices = new ArrayDeque<>();
    for (int index = complete; executed.previous(index) >= 0; index = executed.previous(index)) {
      indices.push(index);
    }
    List<Integer> path = new ArrayList<>();
    long[] set = new long[sets.words()];
    for (int index : indices) {
      int previous = executed.previous(index);
      long load = executed.load(index);
      int operator = executed.operator(index);
      executed.copyTo(previous, set);
      long liveBytes =
          executed.liveBytes(previous)
              + sets.startingBytes(set, operator)
              - sets.endingBytes(set, operator);
      runAll(set, new Choice(operator, load, liveBytes), path);
    }
    return path.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Keeps the best sets of each number of operators, at most as many as the width. */
  private void searchBeam(int width) {
    List<List<Beam>> byCount = new ArrayList<>();
    for (int count = 0; count <= sets.operatorCount(); count++) {
      byCount.add(new ArrayList<>());
    }
    Beam first = new Beam(new long[sets.words()], sets.inputBytes(), lowerBound, List.of(), null);
    byCount.getFirst().add(first);
    for (int count = 0; count < sets.operatorCount(); count++) {
      for (Beam beam : Beam.smallest(byCount.set(count, List.of()), width)) {
        if (stop.getAsBoolean()) {
          return;
        }
        for (Choice choice : choices(beam.set(), beam.liveBytes(), beam.load())) {
          if (choice.load() < bestLoad) {
            long[] next = beam.set().clone();
            List<Integer> path = new ArrayList<>();
            long liveBytes = runAll(next, choice, path);
            Beam added = new Beam(next, liveBytes, choice.load(), path, beam);
            byCount.get(added.count()).add(added);
          }
        }
      }
    }
    for (Beam beam : Beam.smallest(byCount.getLast(), 1)) {
      best = beam.order();
      bestLoad = beam.load();
    }
  }
}
