package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionValues;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The best division of shapes by cuts at a grid of values.
 *
 * <p>The best k buckets of a box are its best division at one cut into the best i buckets of the
 * one side and the best k - i of the other. For d dimensions with g values each, this costs g^(2d)
 * boxes, times d*g cuts, times k*k.
 */
final class GridDivision {

  /** The largest number of values of a dimension. */
  static final int MAX_VALUES = 400;

  private static final int MAX_BUCKETS = 64;

  /*
   * A box has a first and a last value of the grid in each dimension. Its index is the sum of
   * (first * g + last) * stride over the dimensions, where g is the number of values of the grid.
   */

  private static final int NO_CUT = -1;
  private static final int UNKNOWN = -2;

  private final List<String> names;
  private final long[][] grids;
  private final int buckets;
  private final ToLongFunction<DimensionValues> arena;
  private final DimensionValues largest;
  private final int d;
  private final int[] strides;
  private final int boxCount;

  /** The strides of cells in {@code weights}, which has a margin of one cell. */
  private final int[] cellStrides;

  /** The sums of 1 / best over the shapes up to a cell. */
  private final double[] weights;

  /** The arena of the largest shape of the cells up to one; 0 if it is not known yet. */
  private final long[] corners;

  /** The smallest cost of each box, for each number of buckets. */
  private final double[] costs;

  /** The cut for the smallest cost: the dimension, the last value below, the buckets below. */
  private final int[] cuts;

  /**
   * Creates a division.
   *
   * @param names the dimensions to cut
   * @param grids the values of each, ascending; the last one is the largest
   * @param buckets the number of buckets
   * @param largest the largest shape
   * @param arena the arena of a bucket with a given largest shape
   */
  GridDivision(
      List<String> names,
      long[][] grids,
      int buckets,
      DimensionValues largest,
      ToLongFunction<DimensionValues> arena) {
    this.names = names;
    this.grids = grids;
    this.buckets = buckets;
    this.largest = largest;
    this.arena = arena;
    d = names.size();
    strides = new int[d];
    cellStrides = new int[d];
    int boxes = 1;
    int cells = 1;
    for (int i = 0; i < d; i++) {
      strides[i] = boxes;
      cellStrides[i] = cells;
      boxes *= grids[i].length * grids[i].length;
      cells *= grids[i].length + 1;
    }
    boxCount = boxes;
    weights = new double[cells];
    corners = new long[cells];
    costs = new double[boxes * buckets];
    cuts = new int[boxes * buckets];
    Arrays.fill(cuts, UNKNOWN);
  }

  /**
   * {@return the division with the smallest sum of arena / best}
   *
   * @param values the values of the dimensions for each compared shape
   * @param best the bytes of the best plan of each
   */
  ShapeDivision divide(long[][] values, long[] best) {
    sumWeights(values, best);
    int all = 0;
    for (int i = 0; i < d; i++) {
      all += (grids[i].length - 1) * strides[i];
    }
    choose(all, buckets);
    return part(all, buckets);
  }

  private void sumWeights(long[][] values, long[] best) {
    for (int i = 0; i < best.length; i++) {
      if (best[i] > 0) {
        int cell = 0;
        for (int j = 0; j < d; j++) {
          int found = Arrays.binarySearch(grids[j], values[i][j]);
          cell += ((found >= 0 ? found : -found - 1) + 1) * cellStrides[j];
        }
        weights[cell] += 1.0 / best[i];
      }
    }
    for (int j = 0; j < d; j++) {
      for (int cell = 0; cell < weights.length; cell++) {
        if (cell / cellStrides[j] % (grids[j].length + 1) > 0) {
          weights[cell] += weights[cell - cellStrides[j]];
        }
      }
    }
  }

  private int first(int box, int dimension) {
    return box / strides[dimension] / grids[dimension].length % grids[dimension].length;
  }

  private int last(int box, int dimension) {
    return box / strides[dimension] % grids[dimension].length;
  }

  /** {@return the cost of a box as one bucket: the sum of arena / best} */
  private double costOfOne(int box) {
    double weight = 0;
    int corner = 0;
    for (int i = 0; i < d; i++) {
      corner += (last(box, i) + 1) * cellStrides[i];
    }
    for (int set = 0; set < 1 << d; set++) {
      int cell = corner;
      for (int i = 0; i < d; i++) {
        if ((set >> i & 1) == 1) {
          cell -= (last(box, i) + 1 - first(box, i)) * cellStrides[i];
        }
      }
      weight += Integer.bitCount(set) % 2 == 0 ? weights[cell] : -weights[cell];
    }
    if (corners[corner] == 0) {
      DimensionValues values = largest;
      for (int i = 0; i < d; i++) {
        values = values.with(names.get(i), grids[i][last(box, i)]);
      }
      corners[corner] = arena.applyAsLong(values);
    }
    return weight * corners[corner];
  }

  private double choose(int box, int count) {
    int slot = (count - 1) * boxCount + box;
    if (cuts[slot] != UNKNOWN) {
      return costs[slot];
    }
    double smallest = costOfOne(box);
    int choice = NO_CUT;
    for (int i = 0; i < d && count > 1; i++) {
      int first = first(box, i);
      int last = last(box, i);
      for (int cut = first; cut < last; cut++) {
        int lower = box - (last - cut) * strides[i];
        int upper = box + (cut + 1 - first) * grids[i].length * strides[i];
        for (int lowerCount = 1; lowerCount < count; lowerCount++) {
          double cost = choose(lower, lowerCount) + choose(upper, count - lowerCount);
          if (cost < smallest) {
            smallest = cost;
            choice = (i * MAX_VALUES + cut) * (MAX_BUCKETS + 1) + lowerCount;
          }
        }
      }
    }
    costs[slot] = smallest;
    cuts[slot] = choice;
    return smallest;
  }

  private ShapeDivision part(int box, int count) {
    int choice = cuts[(count - 1) * boxCount + box];
    if (choice == NO_CUT) {
      return new ShapeDivision.Leaf();
    }
    int lowerCount = choice % (MAX_BUCKETS + 1);
    int cut = choice / (MAX_BUCKETS + 1) % MAX_VALUES;
    int i = choice / (MAX_BUCKETS + 1) / MAX_VALUES;
    int lower = box - (last(box, i) - cut) * strides[i];
    int upper = box + (cut + 1 - first(box, i)) * grids[i].length * strides[i];
    return new ShapeDivision.Cut(
        i, names.get(i), grids[i][cut], part(lower, lowerCount), part(upper, count - lowerCount));
  }
}
