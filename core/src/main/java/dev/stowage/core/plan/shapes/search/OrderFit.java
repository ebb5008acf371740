package dev.stowage.core.plan.shapes.search;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.shapes.LayoutOffset;
import dev.stowage.core.plan.shapes.SizeExpression;
import dev.stowage.core.plan.shapes.SymbolicProblem;
import dev.stowage.core.plan.shapes.SymbolicRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Fits of records in an order: each record starts at the highest end of the records before it that
 * conflict with it.
 *
 * <p>An order is a layout for all shapes, because it says which one of two conflicting records lies
 * below the other. Each plan of one shape has an order whose fit is not larger for that shape: that
 * of its offsets.
 */
final class OrderFit {

  /*
   * A fit keeps the highest end at each task. Tasks are numbered by the starts of live ranges, as in
   * TaskRanks. The cost is that of the lengths of all lifetimes in these numbers.
   */

  private final SymbolicProblem problem;
  private final int count;
  private final int ranks;

  /** The ranges of ranks of record i: pairs from {@code starts[i]} to {@code starts[i + 1]}. */
  private final int[] starts;

  private final int[] bounds;
  private final long[] alignments;

  OrderFit(SymbolicProblem problem) {
    this.problem = problem;
    count = problem.records().size();
    List<List<long[]>> live = problem.records().stream().map(OrderFit::liveTasks).toList();
    long[] tasks =
        live.stream()
            .flatMap(List::stream)
            .mapToLong(range -> range[0])
            .sorted()
            .distinct()
            .toArray();
    ranks = tasks.length;
    starts = new int[count + 1];
    List<Integer> all = new ArrayList<>();
    alignments = new long[count];
    for (int i = 0; i < count; i++) {
      for (long[] range : live.get(i)) {
        int found = Arrays.binarySearch(tasks, range[1]);
        all.add(Arrays.binarySearch(tasks, range[0]));
        all.add(found >= 0 ? found : -found - 2);
      }
      starts[i + 1] = all.size();
      alignments[i] = problem.alignmentOf(problem.records().get(i));
    }
    bounds = all.stream().mapToInt(i -> i).toArray();
  }

  /** {@return the ranges of tasks at which a record needs its bytes} */
  private static List<long[]> liveTasks(SymbolicRecord record) {
    List<long[]> ranges = new ArrayList<>();
    long from = record.firstTask();
    for (Gap gap : record.constraints().gaps()) {
      if (from < gap.firstTask()) {
        ranges.add(new long[] {from, gap.firstTask() - 1});
      }
      if (gap.lastTask() == record.lastTask()) {
        return ranges;
      }
      from = gap.lastTask() + 1;
    }
    ranges.add(new long[] {from, record.lastTask()});
    return ranges;
  }

  int count() {
    return count;
  }

  /** {@return the approximate number of steps of a fit for one shape} */
  long steps() {
    long steps = count;
    for (int i = 0; i < bounds.length; i += 2) {
      steps += 2L * (bounds[i + 1] - bounds[i] + 1);
    }
    return steps;
  }

  /**
   * {@return the total of each shape}
   *
   * @param order the records
   * @param sizes the size of each record for each shape
   */
  long[] totals(int[] order, ShapeSizes sizes) {
    int shapes = sizes.shapeCount();
    long[][] tops = new long[ranks][shapes];
    long[] totals = new long[shapes];
    long[] ends = new long[shapes];
    for (int record : order) {
      Arrays.fill(ends, 0);
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        for (int rank = bounds[i]; rank <= bounds[i + 1]; rank++) {
          raise(ends, tops[rank]);
        }
      }
      addSizes(ends, sizes.ofRecord(record), alignments[record]);
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        for (int rank = bounds[i]; rank <= bounds[i + 1]; rank++) {
          System.arraycopy(ends, 0, tops[rank], 0, shapes);
        }
      }
      raise(totals, ends);
    }
    return totals;
  }

  private static void raise(long[] values, long[] others) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(values[i], others[i]);
    }
  }

  private static void addSizes(long[] ends, long[] sizes, long alignment) {
    if (alignment == 1) {
      for (int i = 0; i < ends.length; i++) {
        ends[i] += sizes[i];
      }
    } else {
      for (int i = 0; i < ends.length; i++) {
        ends[i] = Alignment.up(ends[i], alignment) + sizes[i];
      }
    }
  }

  /** {@return the offset of each record for one shape} */
  long[] offsets(int[] order, long[] sizes) {
    long[] tops = new long[ranks];
    long[] offsets = new long[count];
    for (int record : order) {
      long top = 0;
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        for (int rank = bounds[i]; rank <= bounds[i + 1]; rank++) {
          top = Math.max(top, tops[rank]);
        }
      }
      offsets[record] = Alignment.up(top, alignments[record]);
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        Arrays.fill(tops, bounds[i], bounds[i + 1] + 1, offsets[record] + sizes[record]);
      }
    }
    return offsets;
  }

  /**
   * {@return for each position in the order, the position of the record that it rests on, or -1;
   * then the position of the record with the highest end, or -1}
   */
  int[] supports(int[] order, long[] sizes) {
    long[] tops = new long[ranks];
    int[] highest = new int[ranks];
    Arrays.fill(highest, -1);
    int[] supports = new int[count + 1];
    long total = -1;
    supports[count] = -1;
    for (int position = 0; position < count; position++) {
      int record = order[position];
      long top = 0;
      int support = -1;
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        for (int rank = bounds[i]; rank <= bounds[i + 1]; rank++) {
          if (tops[rank] > top) {
            top = tops[rank];
            support = highest[rank];
          }
        }
      }
      supports[position] = support;
      long end = Alignment.up(top, alignments[record]) + sizes[record];
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        Arrays.fill(tops, bounds[i], bounds[i + 1] + 1, end);
        Arrays.fill(highest, bounds[i], bounds[i + 1] + 1, position);
      }
      if (end > total) {
        total = end;
        supports[count] = position;
      }
    }
    return supports;
  }

  /** {@return the order of the offsets of a plan} */
  static int[] orderOf(long[] offsets, long[] sizes) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      order.add(i);
    }
    order.sort((a, b) -> {
      int byOffset = Long.compare(offsets[a], offsets[b]);
      int bySize = byOffset != 0 ? byOffset : Long.compare(sizes[a], sizes[b]);
      return bySize != 0 ? bySize : Integer.compare(a, b);
    });
    return order.stream().mapToInt(i -> i).toArray();
  }

  /**
   * {@return the formulas of an order}
   *
   * <p>A formula refers to the highest records below, so that no reference follows from others.
   */
  List<LayoutOffset> formulas(int[] order) {
    int[] tops = new int[ranks];
    Arrays.fill(tops, -1);
    BitSet[] below = new BitSet[count];
    LayoutOffset[] formulas = new LayoutOffset[count];
    for (int record : order) {
      Set<Integer> highest = new LinkedHashSet<>();
      below[record] = new BitSet(count);
      for (int i = starts[record]; i < starts[record + 1]; i += 2) {
        for (int rank = bounds[i]; rank <= bounds[i + 1]; rank++) {
          if (tops[rank] >= 0) {
            highest.add(tops[rank]);
          }
          tops[rank] = record;
        }
      }
      highest.forEach(other -> below[record].or(below[other]));
      highest.removeIf(below[record]::get);
      highest.forEach(below[record]::set);
      formulas[record] = LayoutOffset.above(List.copyOf(highest), multiple(record, highest));
    }
    return List.of(formulas);
  }

  /** {@return the alignment of a record, or 1 if the ends below are multiples of it} */
  private long multiple(int record, Set<Integer> below) {
    long alignment = alignments[record];
    boolean aligned =
        below.stream()
            .allMatch(other ->
                alignments[other] % alignment == 0
                    && isMultiple(problem.records().get(other).bytes(), alignment));
    return aligned ? 1 : alignment;
  }

  private static boolean isMultiple(SizeExpression bytes, long number) {
    return number == 1 || bytes.floorDivide(number).times(number).equals(bytes);
  }
}
