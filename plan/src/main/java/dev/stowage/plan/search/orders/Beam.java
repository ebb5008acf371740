package dev.stowage.plan.search.orders;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of executed operators within a beam search.
 *
 * @param set the operators
 * @param liveBytes the bytes that are live after them
 * @param load the load of the order that executes them
 * @param path the operators that the order executes after the previous set
 * @param previous the previous set; null for the first one
 */
@SuppressWarnings("ArrayRecordComponent") // is never compared
record Beam(long[] set, long liveBytes, long load, List<Integer> path, @Nullable Beam previous) {

  private static final Comparator<Beam> BY_LOAD =
      Comparator.comparingLong(Beam::load).thenComparingLong(Beam::liveBytes);

  /** {@return different sets by load and live bytes, at most as many as the width} */
  static List<Beam> smallest(List<Beam> beams, int width) {
    List<Beam> sorted = new ArrayList<>(beams);
    sorted.sort(BY_LOAD);
    List<Beam> kept = new ArrayList<>();
    Set<BitSet> sets = new HashSet<>();
    for (Beam beam : sorted) {
      if (kept.size() < width && sets.add(BitSet.valueOf(beam.set))) {
        kept.add(beam);
      }
    }
    return kept;
  }

  /** {@return the number of operators} */
  int count() {
    return Arrays.stream(set).mapToInt(Long::bitCount).sum();
  }

  /** {@return the operators in the order of their execution} */
  int[] order() {
    Deque<List<Integer>> paths = new ArrayDeque<>();
    for (Beam beam = this; beam != null; beam = beam.previous) {
      paths.push(beam.path);
    }
    return paths.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
  }
}
