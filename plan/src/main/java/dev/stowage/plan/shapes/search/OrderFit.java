package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Fits of records in an order: each record starts at the highest end of the records before it that
 * conflict with it.
 *
 * <p>An order is a layout for all shapes, because it says which one of two conflicting records lies
 * below the other. Each plan of one shape has an order whose fit is not larger for that shape: that
 * of its offsets.
 */
final class OrderFit {

  private final SymbolicProblem problem;
  private final LiveRanks ranks;
  private final long[] alignments;

  OrderFit(SymbolicProblem problem) {
    this.problem = problem;
    ranks = LiveRanks.of(problem);
    alignments = problem.records().stream().mapToLong(problem::alignmentOf).toArray();
  }

  int count() {
    return alignments.length;
  }

  /** {@return a number that grows with the records and the lengths of their lifetimes} */
  long steps() {
    return count() + 2 * ranks.rankCount();
  }

  /** {@return a lower bound of the arena of one shape} */
  long lowerBound(long[] sizes) {
    return ranks.lowerBound(sizes);
  }

  /** {@return the stack of an order, from which all fits follow} */
  RecordStack stack(int[] order) {
    return new RecordStack(ranks, alignments, order);
  }

  /** {@return the total of each shape} */
  long[] totals(int[] order, ShapeSizes sizes) {
    return stack(order).totals(sizes);
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
    RecordStack stack = stack(order);
    BitSet[] below = new BitSet[count()]; // positions below each position
    LayoutOffset[] formulas = new LayoutOffset[count()];
    for (int position = 0; position < order.length; position++) {
      int[] highest = stack.below(position);
      BitSet ofOthers = new BitSet(position);
      for (int other : highest) {
        ofOthers.or(below[other]);
      }
      List<Integer> references = new ArrayList<>();
      for (int other : highest) {
        if (!ofOthers.get(other)) {
          ofOthers.set(other);
          references.add(order[other]);
        }
      }
      below[position] = ofOthers;
      int record = order[position];
      formulas[record] = LayoutOffset.above(references, multiple(record, references));
    }
    return List.of(formulas);
  }

  /** {@return the alignment of a record, or 1 if the ends below are multiples of it} */
  private long multiple(int record, List<Integer> below) {
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
