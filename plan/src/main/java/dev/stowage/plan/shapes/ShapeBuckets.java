package dev.stowage.plan.shapes;

import dev.stowage.plan.PlanProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Parts of the shapes of a problem; each part has a plan of its own. */
public final class ShapeBuckets {

  /*
   * The parts are intervals of one dimension with sampled sizes v[0] < … < v[n-1] as borders. An
   * arena of a part from size i to size j costs its bytes at each of these sizes. least[k][j] is
   * the lowest cost of the first j sizes in k parts, by the last part:
   *
   *   least[k][j] = min over i < j of least[k-1][i] + (j - i) * arena of the sizes i to j-1
   *
   * Takes O(n²) arenas for each dimension, and n of them if the sizes of all records only grow.
   */

  private final RangedProblem problem;
  private final DimensionRange range;
  private final List<Long> borders;

  /** The arena of the sizes from the first to the second index, inclusive. */
  private final long[][] arenas;

  private final double[][] least;
  private final int[][] lastPart;

  private ShapeBuckets(
      RangedProblem problem, DimensionRange range, int count, ToLongFunction<PlanProblem> arena) {
    this.problem = problem;
    this.range = range;
    borders = borders(problem, range.name());
    int n = borders.size();
    arenas = new long[n][n];
    least = new double[Math.min(count, n) + 1][n + 1];
    lastPart = new int[least.length][n + 1];
    addArenas(arena);
    divide();
  }

  /**
   * {@return ranges; each shape is in exactly one of them}
   *
   * <p>The borders lie in one dimension. They minimize the sum of the arenas over up to 33 sampled
   * sizes of this dimension; of equal sums, the one of fewer parts counts.
   *
   * @param problem the records
   * @param count the most parts; at least 1
   * @param arena returns the bytes of a plan
   * @throws IllegalArgumentException if {@code count < 1}
   */
  public static List<DimensionRanges> of(
      RangedProblem problem, int count, ToLongFunction<PlanProblem> arena) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be positive: count=" + count);
    }
    List<DimensionRanges> best = List.of(problem.ranges());
    double bestMean = Double.POSITIVE_INFINITY;
    for (DimensionRange range : problem.ranges().ranges()) {
      if (range.first() < range.last()) {
        ShapeBuckets buckets = new ShapeBuckets(problem, range, count, arena);
        if (buckets.mean() < bestMean) {
          bestMean = buckets.mean();
          best = buckets.parts();
        }
      }
    }
    return best;
  }

  /** {@return the sampled sizes of a dimension, ascending; the last one is the end of the range} */
  private static List<Long> borders(RangedProblem problem, String name) {
    DimensionRange range = problem.ranges().range(name).orElseThrow();
    if (!problem.isSampled()) {
      return ShapePoints.values(range);
    }
    List<Long> sampled =
        new ArrayList<>(
            problem.points().stream().map(point -> point.get(name)).sorted().distinct().toList());
    // The shapes above the last sample, if it failed, belong to the last part.
    sampled.set(sampled.size() - 1, range.last());
    return sampled;
  }

  /**
   * {@return the shapes with a size above the border before {@code first}, up to the border {@code
   * last}}
   */
  private DimensionRanges part(int first, int last) {
    long start = first == 0 ? range.first() : borders.get(first - 1) + 1;
    return problem.ranges().with(new DimensionRange(range.name(), start, borders.get(last)));
  }

  private void addArenas(ToLongFunction<PlanProblem> arena) {
    List<long[]> slices = new ArrayList<>();
    for (int last = 0; last < borders.size(); last++) {
      slices.add(problem.largestBytes(part(last, last)));
      long[] bytes = slices.getLast().clone();
      arenas[last][last] = arena.applyAsLong(problem.withBytes(bytes));
      for (int first = last - 1; first >= 0; first--) {
        long[] before = bytes.clone();
        long[] more = slices.get(first);
        Arrays.setAll(bytes, i -> Math.max(before[i], more[i]));
        arenas[first][last] =
            Arrays.equals(bytes, before)
                ? arenas[first + 1][last]
                : arena.applyAsLong(problem.withBytes(bytes));
      }
    }
  }

  private void divide() {
    for (int parts = 0; parts < least.length; parts++) {
      for (int end = 0; end <= borders.size(); end++) {
        least[parts][end] = end == 0 ? 0 : Double.POSITIVE_INFINITY;
        for (int start = 0; parts > 0 && start < end; start++) {
          double cost = least[parts - 1][start] + (double) (end - start) * arenas[start][end - 1];
          if (cost < least[parts][end]) {
            least[parts][end] = cost;
            lastPart[parts][end] = start;
          }
        }
      }
    }
  }

  /** {@return the least number of parts with the lowest cost} */
  private int partCount() {
    int best = 1;
    for (int parts = 2; parts < least.length; parts++) {
      best = least[parts][borders.size()] < least[best][borders.size()] ? parts : best;
    }
    return best;
  }

  private double mean() {
    return least[partCount()][borders.size()] / borders.size();
  }

  private List<DimensionRanges> parts() {
    List<DimensionRanges> parts = new ArrayList<>();
    int end = borders.size();
    for (int rest = partCount(); end > 0; rest--) {
      int start = lastPart[rest][end];
      parts.addFirst(part(start, end - 1));
      end = start;
    }
    return parts;
  }
}
