package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/** The borders of buckets: a division of the shapes by cuts, each of one dimension. */
final class BucketBorders {

  /*
   * A shape is charged the arena of its bucket, which is that of the bucket's largest shape. The
   * division minimizes the mean of arena / best over the compared shapes, and then the maximum.
   *
   * Step 1 tries all divisions by cuts at a grid of values (GridDivision). Step 2 moves each cut to
   * other values as long as the mean becomes smaller.
   */

  /** The approximate number of steps of step 1. */
  private static final double MAX_STEPS = 3e7;

  private static final int MAX_DIMENSIONS = 6;

  /** The number of divisions that step 2 tries. */
  private static final int MAX_MOVES = 3_000;

  private final DimensionRanges ranges;
  private final int buckets;
  private final List<DimensionValues> shapes;
  private final long[] best;
  private final ToLongFunction<DimensionValues> arena;
  private final BooleanSupplier stop;
  private final Map<DimensionValues, Long> arenas = new HashMap<>();

  /** The dimensions that are cut, and the grid of each. */
  private final List<String> names = new ArrayList<>();

  private long[][] grids = new long[0][];

  /** The values of the cut dimensions for each compared shape. */
  private long[][] values = new long[0][];

  private BucketBorders(
      DimensionRanges ranges,
      int buckets,
      List<DimensionValues> shapes,
      long[] best,
      ToLongFunction<DimensionValues> arena,
      BooleanSupplier stop) {
    this.ranges = ranges;
    this.buckets = buckets;
    this.shapes = shapes;
    this.best = best;
    this.arena = arena;
    this.stop = stop;
  }

  /**
   * {@return up to {@code buckets} parts of the shapes}
   *
   * @param ranges all shapes
   * @param buckets the number of buckets
   * @param shapes the compared shapes
   * @param best the bytes of the best plan of each
   * @param arena an estimate of the arena of a bucket with a given largest shape
   * @param stop true to end step 2
   */
  static List<DimensionRanges> of(
      DimensionRanges ranges,
      int buckets,
      List<DimensionValues> shapes,
      long[] best,
      ToLongFunction<DimensionValues> arena,
      BooleanSupplier stop) {
    return new BucketBorders(ranges, buckets, shapes, best, arena, stop).divide();
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
    GridDivision grid = new GridDivision(names, grids, buckets, ranges.last(), this::arenaOf);
    return moved(grid.divide(values, best)).parts(ranges);
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
    while (count < GridDivision.MAX_VALUES && steps(count + 1, d) <= MAX_STEPS) {
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

  /** Step 2. */
  private ShapeDivision moved(ShapeDivision start) {
    ShapeDivision division = start;
    Excess excess = excess(division);
    int moves = 0;
    boolean improved = true;
    while (improved && moves < MAX_MOVES) {
      improved = false;
      for (int cut = 0; cut < division.cutCount(); cut++) {
        for (long step = largestStep(); step >= 1; step /= 2) {
          for (long change : new long[] {-step, step}) {
            ShapeDivision next = division.withMovedCut(cut, change);
            if (++moves <= MAX_MOVES && next.isWithin(ranges) && !stop.getAsBoolean()) {
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

  private Excess excess(ShapeDivision division) {
    long[] partArenas =
        division.parts(ranges).stream().mapToLong(part -> arenaOf(part.last())).toArray();
    double sum = 0;
    double maximum = 0;
    for (int i = 0; i < best.length; i++) {
      double excess = Excess.of(partArenas[division.partOf(values[i])], best[i]);
      sum += excess;
      maximum = Math.max(maximum, excess);
    }
    return new Excess(maximum, sum / best.length);
  }
}
