package dev.stowage.plan.shapes;

import dev.stowage.plan.OffsetsAssignment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * An offset for each record of a {@link SymbolicProblem} as a formula of the dimensions.
 *
 * <p>{@link LayoutChecker} certifies that a layout is valid for all shapes. A layout is immutable,
 * and threads may share it.
 */
public final class ShapeLayout {

  /*
   * A formula refers to the ends of other records, so that a layout takes O(n) text although the
   * expanded expression of an offset may be exponentially long. Offsets are computed in an order in
   * which each record comes after those that its formula refers to.
   *
   *   S1  each record has a formula, and its references are other records of the problem;
   *   S2  no record refers to itself through the formulas of others.
   */

  private final SymbolicProblem problem;
  private final List<LayoutOffset> offsets;

  /** The records in the order of computation. */
  private final int[] order;

  /**
   * The references of record i are {@code references[starts[i]]} to those before the next start.
   */
  private final int[] starts;

  private final int[] references;
  private final long[] multiples;

  /** Computes the sizes, then the bases of the formulas. */
  private final SizeProgram program;

  private ShapeLayout(SymbolicProblem problem, List<LayoutOffset> offsets, int[] order) {
    this.problem = problem;
    this.offsets = offsets;
    this.order = order;
    starts = new int[offsets.size() + 1];
    multiples = new long[offsets.size()];
    int count = 0;
    for (int i = 0; i < offsets.size(); i++) {
      multiples[i] = offsets.get(i).multiple();
      count += offsets.get(i).below().size();
      starts[i + 1] = count;
    }
    references =
        offsets.stream().flatMap(offset -> offset.below().stream()).mapToInt(i -> i).toArray();
    program =
        SizeProgram.of(
            Stream.concat(
                    problem.records().stream().map(SymbolicRecord::bytes),
                    offsets.stream().map(LayoutOffset::base))
                .toList(),
            problem.ranges().ranges().stream().map(DimensionRange::name).toList());
  }

  /**
   * {@return a layout}
   *
   * @param problem the records
   * @param offsets a formula for each record
   * @throws IllegalArgumentException if the number of formulas is not that of the records, a
   *     formula refers to a record that does not exist or, through others, to itself, a dimension
   *     has no range, or an offset or end may exceed {@link Long#MAX_VALUE}
   */
  public static ShapeLayout of(SymbolicProblem problem, List<LayoutOffset> offsets) {
    if (offsets.size() != problem.records().size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a layout needs one offset for each record: offsets=%d, records=%d",
              offsets.size(),
              problem.records().size()));
    }
    for (int i = 0; i < offsets.size(); i++) {
      problem.ranges().checkRanges(offsets.get(i).base().dimensions());
      for (int below : offsets.get(i).below()) {
        if (below >= offsets.size()) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "the offset of %s refers to record %d, expected 0 to %d",
                  problem.records().get(i).label(i),
                  below,
                  offsets.size() - 1));
        }
      }
    }
    int[] order = order(problem, offsets);
    checkEvaluable(problem, offsets, order);
    return new ShapeLayout(problem, List.copyOf(offsets), order);
  }

  /**
   * {@return a layout with a constant offset for each record}
   *
   * @param problem the records
   * @param offsets the offsets in bytes
   * @throws IllegalArgumentException as for {@link #of}
   */
  public static ShapeLayout constant(SymbolicProblem problem, long[] offsets) {
    List<LayoutOffset> formulas = new ArrayList<>();
    for (long offset : offsets) {
      formulas.add(LayoutOffset.of(SizeExpression.of(offset)));
    }
    return of(problem, formulas);
  }

  /** {@return an order in which each record comes after those that it refers to} */
  private static int[] order(SymbolicProblem problem, List<LayoutOffset> offsets) {
    int count = offsets.size();
    List<List<Integer>> above = new ArrayList<>();
    int[] missing = new int[count];
    for (int i = 0; i < count; i++) {
      above.add(new ArrayList<>());
    }
    Deque<Integer> ready = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      for (int below : offsets.get(i).below()) {
        above.get(below).add(i);
      }
      missing[i] = offsets.get(i).below().size();
      if (missing[i] == 0) {
        ready.add(i);
      }
    }
    int[] order = new int[count];
    int done = 0;
    while (!ready.isEmpty()) {
      int next = ready.remove();
      order[done++] = next;
      for (int i : above.get(next)) {
        if (--missing[i] == 0) {
          ready.add(i);
        }
      }
    }
    if (done < count) {
      int first = 0;
      while (missing[first] == 0) {
        first++;
      }
      throw new IllegalArgumentException(
          "the offset of "
              + problem.records().get(first).label(first)
              + " depends on itself through the ends of other records");
    }
    return order;
  }

  /** Throws unless all offsets and ends fit a long for all shapes. */
  private static void checkEvaluable(
      SymbolicProblem problem, List<LayoutOffset> offsets, int[] order) {
    ShapeBox box = ShapeBox.of(problem.ranges());
    Map<SizeExpression, Long> largest = new HashMap<>();
    long[] ends = new long[order.length];
    for (int i : order) {
      LayoutOffset offset = offsets.get(i);
      try {
        long start =
            largest.computeIfAbsent(offset.base(), base -> evaluable(base.polynomial(), box));
        for (int below : offset.below()) {
          start = Math.max(start, ends[below]);
        }
        ends[i] =
            Math.addExact(
                Math.addExact(start, offset.multiple()),
                largest.computeIfAbsent(
                    problem.records().get(i).bytes(), bytes -> evaluable(bytes.polynomial(), box)));
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the offset of %s cannot be computed for all shapes, or its end may exceed 2^63 - 1: %s",
                problem.records().get(i).label(i),
                offset),
            e);
      }
    }
  }

  /** {@return a bound of an expression whose intermediate results fit a long for all shapes} */
  private static long evaluable(Polynomial expression, ShapeBox box) {
    if (!box.isEvaluable(expression)) {
      throw new ArithmeticException("an intermediate result exceeds a long");
    }
    return box.bounds(expression).last();
  }

  /** {@return the records in an order in which each comes after those that it refers to} */
  int[] order() {
    return order.clone();
  }

  /**
   * Visits a record and those that its formula refers to, directly and through others, each after
   * those that its own formula refers to.
   *
   * @param record the record
   * @param isDone true for records to skip; {@code visit} makes a record done
   * @param visit called for each other record
   */
  void visitFromBelow(int record, IntPredicate isDone, IntConsumer visit) {
    Deque<Integer> open = new ArrayDeque<>(); // chains of references are too long for recursion
    open.push(record);
    while (!open.isEmpty()) {
      int next = open.peek();
      int openCount = open.size();
      if (!isDone.test(next)) {
        for (int below : offsets.get(next).below()) {
          if (!isDone.test(below)) {
            open.push(below);
          }
        }
        if (open.size() > openCount) {
          continue;
        }
        visit.accept(next);
      }
      open.pop();
    }
  }

  /** {@return the problem} */
  public SymbolicProblem problem() {
    return problem;
  }

  /** {@return the formula of each record} */
  public List<LayoutOffset> offsets() {
    return offsets;
  }

  /**
   * {@return the offset of each record for one shape, in bytes}
   *
   * <p>Costs a microsecond or so for a few hundred records.
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException if a dimension has no value or a value out of its range
   */
  public long[] offsets(DimensionValues values) {
    long[] sizesAndBases = program.evaluate(problem.ranges().checkedValues(values));
    return place(sizesAndBases);
  }

  /**
   * {@return the plan of one shape, in the smallest arena that holds all records}
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException as for {@link #offsets(DimensionValues)}
   */
  public OffsetsAssignment at(DimensionValues values) {
    long[] sizesAndBases = program.evaluate(problem.ranges().checkedValues(values));
    long[] placed = place(sizesAndBases);
    return OffsetsAssignment.of(placed, total(placed, sizesAndBases));
  }

  /**
   * {@return the size of the smallest arena that holds all records of one shape}
   *
   * @param values a value within the range of each dimension
   * @throws IllegalArgumentException as for {@link #offsets(DimensionValues)}
   */
  public long totalBytes(DimensionValues values) {
    long[] sizesAndBases = program.evaluate(problem.ranges().checkedValues(values));
    return total(place(sizesAndBases), sizesAndBases);
  }

  private long[] place(long[] sizesAndBases) {
    int count = order.length;
    long[] placed = new long[count];
    for (int record : order) {
      long start = sizesAndBases[count + record];
      for (int i = starts[record]; i < starts[record + 1]; i++) {
        start = Math.max(start, placed[references[i]] + sizesAndBases[references[i]]);
      }
      placed[record] =
          multiples[record] == 1
              ? start
              : Math.ceilDiv(start, multiples[record]) * multiples[record];
    }
    return placed;
  }

  private static long total(long[] placed, long[] sizes) {
    long total = 0;
    for (int i = 0; i < placed.length; i++) {
      total = Math.max(total, placed[i] + sizes[i]);
    }
    return total;
  }
}
