package dev.stowage.plan.search.orders;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** The part of a search for a small load that visits the orders in one direction. */
final class OneWaySearch {

  /*
   * A set of executed operators determines the live bytes, so all orders that execute it first continue
   * in the same way. The search therefore visits sets, each with the smallest load of an order that
   * executes it: Dijkstra's algorithm with maximums instead of sums. The first complete set that it
   * visits has the smallest load of all orders. The load of the next set is always a lower bound.
   *
   * An operator can run at once if it needs no more than the load so far, and leaves no more bytes
   * live than before it. If it runs later, the load is no smaller: whatever ran before, the
   * operator then adds at most as many bytes, and frees at least as many. In a network, this leaves
   * few sets, because most operators follow from the first of a branch.
   */

  private static final int NO_OPERATOR = -1;

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
  private final ExecutedSets executed;
  private final long maxSets;
  private final PriorityQueue<Visit> queue = new PriorityQueue<>(Visit.ORDER);
  private int[] best;
  private long bestLoad;
  private long lowerBound;
  private int sequence;

  /** The operators that can run next. Each call of {@link #runAll} starts with none. */
  private final OperatorList waiting;

  /**
   * Creates a search that starts from the given order.
   *
   * @param sets the operators
   * @param order the given order, in the direction of the search
   * @param load its load
   * @param lowerBound a lower bound of the loads of all orders
   * @param maxBytes the memory of the sets, beyond which {@link #visitNext} ends
   * @param stop true to end a beam search; called for each set
   */
  OneWaySearch(
      OperatorSets sets,
      int[] order,
      long load,
      long lowerBound,
      long maxBytes,
      BooleanSupplier stop) {
    this.sets = sets;
    this.stop = stop;
    this.lowerBound = lowerBound;
    best = order;
    bestLoad = load;
    maxSets = maxBytes / ExecutedSets.bytesPerSet(sets.words());
    executed = new ExecutedSets(sets.words());
    waiting = new OperatorList(sets.operatorCount());
    int first =
        executed.offer(
            new long[sets.words()], sets.inputBytes(), lowerBound, NO_OPERATOR, NO_OPERATOR);
    queue.add(new Visit(lowerBound, 0, first));
  }

  /** {@return the operators in the best order found, in the direction of the search} */
  int[] order() {
    return best;
  }

  /** {@return the load of the best order found} */
  long loadBytes() {
    return bestLoad;
  }

  /** {@return the proved lower bound of the loads of all orders} */
  long lowerBoundBytes() {
    return lowerBound;
  }

  /** Takes over an order with a smaller load, and a larger lower bound. */
  void learn(int[] order, long load, long bound) {
    if (load < bestLoad) {
      best = order;
      bestLoad = load;
    }
    lowerBound = Math.max(lowerBound, bound);
  }

  /** Visits the next set by ascending load, and {@return false if the search has ended} */
  boolean visitNext() {
    if (bestLoad <= lowerBound) {
      return false;
    }
    if (queue.isEmpty()) {
      lowerBound = bestLoad;
      return false;
    }
    Visit visit = queue.remove();
    if (visit.load() > executed.load(visit.set())) {
      return true; // visited with a smaller load
    }
    lowerBound = Math.max(lowerBound, visit.load());
    long[] set = new long[sets.words()];
    executed.copyTo(visit.set(), set);
    if (sets.isComplete(set)) {
      best = path(executed, visit.set());
      bestLoad = visit.load();
      return false;
    }
    if (executed.count() > maxSets) {
      return false;
    }
    int[] ready = sets.ready(set);
    for (Choice choice : choices(set, ready, executed.liveBytes(visit.set()), visit.load())) {
      if (choice.load() < bestLoad) {
        long[] next = set.clone();
        long liveBytes = runAll(next, ready, choice, new ArrayList<>());
        int index = executed.offer(next, liveBytes, choice.load(), visit.set(), choice.operator());
        if (index >= 0) {
          queue.add(new Visit(choice.load(), ++sequence, index));
        }
      }
    }
    return true;
  }

  /** {@return the operators that can run next, by descending live bytes after them} */
  private List<Choice> choices(long[] set, int[] ready, long liveBytes, long load) {
    List<Choice> choices = new ArrayList<>();
    for (int operator : ready) {
      long during = liveBytes + sets.startingBytes(set, operator);
      long after = during - sets.endingBytes(set, operator);
      choices.add(new Choice(operator, Math.max(load, during), after));
    }
    choices.sort(
        Comparator.comparingLong(Choice::liveBytes).thenComparingInt(Choice::operator).reversed());
    return choices;
  }

  /**
   * Runs an operator, and then all operators that can run at once.
   *
   * @param set the operators that have run; the new ones are added
   * @param ready the operators that can run next
   * @param path gets the new ones in order
   * @return the live bytes then
   */
  private long runAll(long[] set, int[] ready, Choice choice, List<Integer> path) {
    long liveBytes = choice.liveBytes();
    waiting.clear();
    for (int operator : ready) {
      if (operator != choice.operator()) {
        waiting.push(operator);
      }
    }
    add(set, choice.operator(), path);
    boolean hasRun = true;
    while (hasRun) {
      hasRun = false;
      for (int index = 0; index < waiting.size(); index++) {
        int operator = waiting.get(index);
        long starting = sets.startingBytes(set, operator);
        long ending = sets.endingBytes(set, operator);
        if (starting <= ending && liveBytes + starting <= choice.load()) {
          waiting.remove(index--); // the last one takes its place
          add(set, operator, path);
          liveBytes += starting - ending;
          hasRun = true;
        }
      }
    }
    return liveBytes;
  }

  /** Runs an operator, and adds the operators that can run only now to the waiting ones. */
  private void add(long[] set, int operator, List<Integer> path) {
    OperatorSets.add(set, operator);
    path.add(operator);
    for (int successor : sets.successors(operator)) {
      if (sets.isReady(set, successor)) {
        waiting.push(successor);
      }
    }
  }

  /** {@return the order of execution of a complete set} */
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
      runAll(set, sets.ready(set), new Choice(operator, load, liveBytes), path);
    }
    return path.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Keeps the best sets of each number of operators, at most as many as the width. */
  void searchBeam(int width) {
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
        int[] ready = sets.ready(beam.set());
        for (Choice choice : choices(beam.set(), ready, beam.liveBytes(), beam.load())) {
          if (choice.load() < bestLoad) {
            long[] next = beam.set().clone();
            List<Integer> path = new ArrayList<>();
            long liveBytes = runAll(next, ready, choice, path);
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
