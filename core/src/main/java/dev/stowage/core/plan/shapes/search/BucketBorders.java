package dev.stowage.core.plan.shapes.search;

import dev.stowage.core.plan.shapes.DimensionRange;
import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** The borders of buckets: a division of the shapes by cuts, each of one dimension. */
final class BucketBorders {

  /*
   * A shape is charged the arena of its bucket, which is that of the bucket's largest shape. The
   * division minimizes the mean of arena / best over the compared shapes, and then the maximum.
   *
   * Step 1 tries all divisions by cuts at a grid of values: the best k buckets of a box are its best
   * division at one cut into the best i buckets of the one side and the best k - i of the other.
   * Step 2 moves each cut to other values as long as the mean becomes smaller.
   *
   * Cost of step 1 for d dimensions with g values each: g^(2d) boxes, times d*g cuts, times k*k.
   */

  /** The approximate number of steps of step 1. */
  private static final double MAX_STEPS = 3e7;

  /** The number of values of a dimension in step 1. */
  private static final int MAX_GRID = 400;

  private static final int MAX_BUCKETS = 64;

  private static final int MAX_DIMENSIONS = 6;

  /** The number of divisions that step 2 tries. */
  private static final int MAX_MOVES = 3_000;

  private final DimensionRanges ranges;
  private final int buckets;
  private final List<DimensionValues> shapes;
  private final long[] best;
  private final ToLongFunction<DimensionValues> arena;
  private final Map<DimensionValues, Long> arenas = new HashMap<>();

  /** The dimensions that are cut, the grid of each, and the strides of cells. */
  private final List<String> names = new ArrayList<>();

  private long[][] grids = new long[0][];

  /** The values of the cut dimensions for each compared shape. */
  private long[][] values = new long[0][];

  /** A part of the shapes: one bucket, or two sides of a cut. */
  private sealed interface Part {}

  private record Leaf() implements Part {}

  /** A cut; the values up to {@code last} are on the lower side. */
  private record Cut(String name, long last, Part lower, Part upper) implements Part {}

  private BucketBorders(
      DimensionRanges ranges,
      int buckets,
      List<DimensionValues> shapes,
      long[] best,
      ToLongFunction<DimensionValues> arena) {
    this.ranges = ranges;
    this.buckets = buckets;
    this.shapes = shapes;
    this.best = best;
    this.arena = arena;
  }

  /**
   * {@return up to {@code buckets} parts of the shapes}
   *
   * @param ranges all shapes
   * @param buckets the number of buckets
   * @param shapes the compared shapes
   * @param best the bytes of the best plan of each
   * @param arena an estimate of the arena of a bucket with a given largest shape
   */
  static List<DimensionRanges> of(
      DimensionRanges ranges,
      int buckets,
      List<DimensionValues> shapes,
      long[] best,
      ToLongFunction<DimensionValues> arena) {
    return new BucketBorders(ranges, buckets, shapes, best, arena).divide();
  }

  private List<DimensionRanges> divide() {
    chooseDimensions();
    if (names.isEmpty() || buckets == 1) {
      return List.of(ranges);
    }
    chooseGrids();
    values =
        shapes.stream()
            .map(shape -> names.stream().mapToLong(shape::get).toArray())
            .toArray(long[][]::new);
    Part division = moved(new GridDivision().divide());
    List<DimensionRanges> parts = new ArrayList<>();
    addLeaves(division, ranges, parts);
    return parts;
  }

  /** Chooses the dimensions that change the arena most. */
  private void chooseDimensions() {
    Map<String, Long> changes = new LinkedHashMap<>();
    for (DimensionRange range : ranges.ranges()) {
      if (range.first() < range.last()) {
        changes.put(
            range.name(),
            arenaOf(ranges.last()) - arenaOf(ranges.last().with(range.name(), range.first())));
      }
    }
    changes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MAX_DIMENSIONS)
        .forEach(entry -> names.add(entry.getKey()));
  }

  private void chooseGrids() {
    int d = names.size();
    int count = 2;
    while (count < MAX_GRID && steps(count + 1, d) <= MAX_STEPS) {
      count++;
    }
    grids = new long[d][];
    for (int i = 0; i < d; i++) {
      grids[i] = grid(range(names.get(i)), count);
    }
  }

  private double steps(int values, int d) {
    return Math.pow(values * (values + 1) / 2.0, d) * d * values / 3 * buckets * buckets / 2;
  }

  private DimensionRange range(String name) {
    return ranges.range(name).orElseThrow();
  }

  /** {@return values of a range, half of them evenly spaced and half of them by a factor} */
  private static long[] grid(DimensionRange range, int count) {
    TreeSet<Long> values = new TreeSet<>();
    long width = range.last() - range.first();
    if (width < count) {
      for (long value = range.first(); value <= range.last(); value++) {
        values.add(value);
      }
    } else {
      int even = (count + 1) / 2;
      for (int i = 1; i <= even; i++) {
        values.add(range.first() + (long) ((double) width * i / even));
      }
      for (int i = 1; values.size() < count && i <= count; i++) {
        double factor =
            Math.pow((double) range.last() / range.first(), (double) i / (count - even + 1));
        values.add(Math.min(range.last(), (long) (range.first() * factor)));
      }
      values.add(range.last());
    }
    return values.stream().mapToLong(value -> value).toArray();
  }

  private long arenaOf(DimensionValues largest) {
    return arenas.computeIfAbsent(largest, arena::applyAsLong);
  }

  /** Step 1. */
  private final class GridDivision {

    /*
     * A box has a first and a last value of the grid in each dimension. Its index is the sum of
     * (first * g + last) * stride over the dimensions, where g is the number of values of the grid.
     */

    private static final int NO_CUT = -1;
    private static final int UNKNOWN = -2;

    private final int d = names.size();
    private final int[] strides = new int[d];
    private final int boxCount;

    /** The strides of cells in {@code weights}, which has a margin of one cell. */
    private final int[] cellStrides = new int[d];

    /** The sums of 1 / best over the shapes up to a cell. */
    private final double[] weights;

    /** The arena of the largest shape of the cells up to one; 0 if it is not known yet. */
    private final long[] corners;

    /** The smallest cost of each box, for each number of buckets. */
    private final double[] costs;

    /** The cut for the smallest cost: the dimension, the last value below, the buckets below. */
    private final int[] cuts;

    GridDivision() {
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
      sumWeights();
    }

    Part divide() {
      int all = 0;
      for (int i = 0; i < d; i++) {
        all += (grids[i].length - 1) * strides[i];
      }
      choose(all, buckets);
      return part(all, buckets);
    }

    private void sumWeights() {
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
        DimensionValues largest = ranges.last();
        for (int i = 0; i < d; i++) {
          largest = largest.with(names.get(i), grids[i][last(box, i)]);
        }
        corners[corner] = arenaOf(largest);
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
              choice = (i * MAX_GRID + cut) * (MAX_BUCKETS + 1) + lowerCount;
            }
          }
        }
      }
      costs[slot] = smallest;
      cuts[slot] = choice;
      return smallest;
    }

    private Part part(int box, int count) {
      int choice = cuts[(count - 1) * boxCount + box];
      if (choice == NO_CUT) {
        return new Leaf();
      }
      int lowerCount = choice % (MAX_BUCKETS + 1);
      int cut = choice / (MAX_BUCKETS + 1) % MAX_GRID;
      int i = choice / (MAX_BUCKETS + 1) / MAX_GRID;
      int lower = box - (last(box, i) - cut) * strides[i];
      int upper = box + (cut + 1 - first(box, i)) * grids[i].length * strides[i];
      return new Cut(
          names.get(i), grids[i][cut], part(lower, lowerCount), part(upper, count - lowerCount));
    }
  }

  /** Step 2. */
  private Part moved(Part start) {
    Part division = start;
    Excess excess = excess(division);
    int moves = 0;
    boolean improved = true;
    while (improved && moves < MAX_MOVES) {
      improved = false;
      for (int cut = 0; cut < cutCount(division); cut++) {
        for (long step = largestStep(); step >= 1; step /= 2) {
          for (long change : new long[] {-step, step}) {
            Part next = moved(division, cut, change);
            if (++moves <= MAX_MOVES && isDivision(next, ranges)) {
              Excess nextExcess = excess(next);
              if (isBetter(nextExcess, excess)) {
                division = next;
                excess = nextExcess;
                improved = true;
              }
            }
          }
        }
      }
    }
    return division;
  }

  private static boolean isBetter(Excess a, Excess b) {
    double difference = a.average() - b.average();
    return difference < -1e-12 || (difference < 1e-12 && a.maximum() < b.maximum() - 1e-12);
  }

  private long largestStep() {
    long width =
        names.stream().mapToLong(name -> range(name).last() - range(name).first()).max().orElse(1);
    return Math.max(1, Long.highestOneBit(Math.max(1, width / 8)));
  }

  private static int cutCount(Part part) {
    return part instanceof Cut cut ? 1 + cutCount(cut.lower) + cutCount(cut.upper) : 0;
  }

  /** {@return a division with one cut, by its index in pre-order, at another value} */
  private static Part moved(Part part, int index, long change) {
    if (!(part instanceof Cut cut)) {
      return part;
    }
    if (index == 0) {
      return new Cut(cut.name, cut.last + change, cut.lower, cut.upper);
    }
    int lower = cutCount(cut.lower);
    return index <= lower
        ? new Cut(cut.name, cut.last, moved(cut.lower, index - 1, change), cut.upper)
        : new Cut(cut.name, cut.last, cut.lower, moved(cut.upper, index - 1 - lower, change));
  }

  /** {@return true if each cut lies within the part that it cuts} */
  private static boolean isDivision(Part part, DimensionRanges within) {
    if (!(part instanceof Cut cut)) {
      return true;
    }
    DimensionRange range = within.range(cut.name).orElseThrow();
    return cut.last >= range.first()
        && cut.last < range.last()
        && isDivision(cut.lower, lower(within, cut))
        && isDivision(cut.upper, upper(within, cut));
  }

  private static DimensionRanges lower(DimensionRanges within, Cut cut) {
    return within.with(
        new DimensionRange(cut.name, within.range(cut.name).orElseThrow().first(), cut.last));
  }

  private static DimensionRanges upper(DimensionRanges within, Cut cut) {
    return within.with(
        new DimensionRange(cut.name, cut.last + 1, within.range(cut.name).orElseThrow().last()));
  }

  private Excess excess(Part division) {
    List<DimensionRanges> parts = new ArrayList<>();
    addLeaves(division, ranges, parts);
    long[] partArenas = parts.stream().mapToLong(part -> arenaOf(part.last())).toArray();
    double sum = 0;
    double maximum = 0;
    for (int i = 0; i < best.length; i++) {
      double excess = Excess.of(partArenas[leafOf(division, i, 0)], best[i]);
      sum += excess;
      maximum = Math.max(maximum, excess);
    }
    return new Excess(maximum, sum / best.length);
  }

  /** {@return the index of the leaf with a compared shape, if the first leaf has an index} */
  private int leafOf(Part part, int shape, int firstIndex) {
    if (!(part instanceof Cut cut)) {
      return firstIndex;
    }
    boolean isLower = values[shape][names.indexOf(cut.name)] <= cut.last;
    return isLower
        ? leafOf(cut.lower, shape, firstIndex)
        : leafOf(cut.upper, shape, firstIndex + cutCount(cut.lower) + 1);
  }

  private static void addLeaves(Part part, DimensionRanges within, List<DimensionRanges> leaves) {
    switch (part) {
      case Leaf leaf -> leaves.add(within);
      case Cut cut -> {
        addLeaves(cut.lower, lower(within, cut), leaves);
        addLeaves(cut.upper, upper(within, cut), leaves);
      }
    }
  }
}
