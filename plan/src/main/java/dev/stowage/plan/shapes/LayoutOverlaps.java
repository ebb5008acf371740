package dev.stowage.plan.shapes;

import dev.stowage.plan.Gap;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The part of {@link LayoutChecker} that compares records with each other: rule Z3. */
final class LayoutOverlaps {

  /*
   * The records are added by ascending offsets for the largest shape. A record is "clear" if each
   * record that was added before and needs bytes at one of its tasks ends below it for all shapes.
   * This relation is transitive, because sizes are not negative. A record is therefore clear if it
   * lies above those on top of the others at its tasks (TopRecords), and these are clear. O(n) pairs
   * decide this for n records. A record that is not clear is compared with all records before it.
   *
   * Sizes are not negative, as SymbolicProblem has proved. An offset is therefore at least the end of
   * each record that its formula refers to, and of those that these refer to. Other pairs are proved:
   * one lies below the other by their ranges of bytes over all shapes or by the prover, or both are
   * disjoint for different reasons, or a size is 0. A pair that lies one below the other is
   * remembered, since other pairs follow.
   */

  /** The number of boxes of a proof that one record lies below another one. */
  private static final int QUICK_BOXES = 1_000;

  private final ShapeLayout layout;
  private final List<SymbolicRecord> records;
  private final LayoutIntervals intervals;
  private final OffsetExpressions expressions;
  private final ShapeProver prover;

  /** A prover of statements that may be false without a violation. */
  private final ShapeProver quickProver;

  /** The place of each record in an order in which it comes after those that it refers to. */
  private final int[] places;

  /** The places of the records that are known to end below each record for all shapes. */
  private final BitSet[] below;

  /** The number of pairs that were compared. */
  private long pairCount;

  /**
   * Creates a check.
   *
   * @param layout the layout
   * @param intervals the offsets and ends over all shapes
   * @param expressions the offsets as expressions
   * @param prover the prover of statements that hold for valid layouts
   */
  LayoutOverlaps(
      ShapeLayout layout,
      LayoutIntervals intervals,
      OffsetExpressions expressions,
      ShapeProver prover) {
    this.layout = layout;
    this.intervals = intervals;
    this.expressions = expressions;
    this.prover = prover;
    quickProver = prover.withBoxLimit(QUICK_BOXES);
    records = layout.problem().records();
    below = new BitSet[records.size()];
    places = new int[records.size()];
    int place = 0;
    for (int record : layout.order()) {
      below[record] = new BitSet(place);
      places[record] = place++;
      for (int reference : layout.offsets().get(record).below()) {
        follow(record, reference);
      }
    }
  }

  /**
   * Two records that may need the same byte.
   *
   * @param lower the one that is not higher for the largest shape
   * @param upper the other one
   * @param task a task at which both need their bytes
   * @param proof the counterexample, or the failed proof that there is none
   */
  record Overlap(int lower, int upper, long task, ShapeProof proof) {}

  /** {@return the number of pairs that {@link #first} has compared} */
  long pairCount() {
    return pairCount;
  }

  /** Remembers that a record, and those known to be below it, end below another one. */
  private void follow(int upper, int lower) {
    below[upper].set(places[lower]);
    below[upper].or(below[lower]);
  }

  private boolean isKnownBelow(int lower, int upper) {
    return below[upper].get(places[lower]);
  }

  /**
   * {@return the first overlap: that of the lowest record with those below it, the highest first}
   */
  Optional<Overlap> first() {
    TopRecords tops = new TopRecords();
    boolean[] isClear = new boolean[records.size()];
    int[] ascending = ascending();
    for (int i = 0; i < ascending.length; i++) {
      int upper = ascending[i];
      for (int reference : layout.offsets().get(upper).below()) {
        below[upper].or(below[reference]);
      }
      isClear[upper] = true;
      for (int top : tops.put(upper, records.get(upper))) {
        isClear[upper] = isClear[upper] && isClear[top] && isBelow(top, upper);
      }
      if (!isClear[upper]) {
        isClear[upper] = true;
        for (int j = i - 1; j >= 0; j--) {
          Optional<Overlap> overlap = overlap(ascending[j], upper, isClear);
          if (overlap.isPresent()) {
            return overlap;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** {@return the records by ascending offsets for the largest shape} */
  private int[] ascending() {
    long[] placed = layout.offsets(layout.problem().ranges().last());
    return IntStream.range(0, placed.length)
        .boxed()
        .sorted(Comparator.<Integer>comparingLong(i -> placed[i]).thenComparingInt(i -> places[i]))
        .mapToInt(i -> i)
        .toArray();
  }

  /**
   * {@return the overlap of two records, if they have one}
   *
   * @param isClear becomes false for the upper record if the lower one need not end below it
   */
  private Optional<Overlap> overlap(int lower, int upper, boolean[] isClear) {
    if (isKnownBelow(lower, upper) || intervals.isBelow(lower, upper)) {
      pairCount++;
      return Optional.empty();
    }
    OptionalLong task = commonTask(records.get(lower), records.get(upper));
    if (task.isEmpty() || isBelow(lower, upper)) {
      return Optional.empty();
    }
    isClear[upper] = false;
    if (isKnownBelow(upper, lower) || intervals.isBelow(upper, lower)) {
      return Optional.empty();
    }
    ShapeProof proof = disjointness(Math.min(lower, upper), Math.max(lower, upper));
    return proof.isProved()
        ? Optional.empty()
        : Optional.of(new Overlap(lower, upper, task.getAsLong(), proof));
  }

  /** {@return true if a record ends below another one for all shapes, as far as it is proved} */
  private boolean isBelow(int lower, int upper) {
    pairCount++;
    boolean isBelow =
        isKnownBelow(lower, upper)
            || intervals.isBelow(lower, upper)
            || isProvedBelow(lower, upper);
    if (isBelow) {
      follow(upper, lower);
    }
    return isBelow;
  }

  private boolean isProvedBelow(int lower, int upper) {
    Optional<SizeExpression> end = expressions.end(lower);
    Optional<SizeExpression> start = expressions.start(upper);
    return end.isPresent() && start.isPresent() && quickProver.isAtLeast(start.get(), end.get());
  }

  /** {@return a proof that two records are disjoint for all shapes} */
  private ShapeProof disjointness(int i, int j) {
    Optional<SizeExpression> startOfI = expressions.start(i);
    Optional<SizeExpression> startOfJ = expressions.start(j);
    if (startOfI.isPresent() && startOfJ.isPresent()) {
      SizeExpression sizeOfI = records.get(i).bytes();
      SizeExpression sizeOfJ = records.get(j).bytes();
      try {
        SizeExpression distance = startOfJ.get().minus(startOfI.get());
        return prover.proveNotNegative(
            SizeExpression.largest(
                List.of(
                    distance.minus(sizeOfI),
                    distance.negated().minus(sizeOfJ),
                    sizeOfI.negated(),
                    sizeOfJ.negated())));
      } catch (ArithmeticException e) {
        // Reported below.
      }
    }
    return OffsetExpressions.tooLarge();
  }

  /** {@return a task at which both records need their bytes} */
  private static OptionalLong commonTask(SymbolicRecord a, SymbolicRecord b) {
    long task = Math.max(a.firstTask(), b.firstTask());
    long last = Math.min(a.lastTask(), b.lastTask());
    while (task <= last) {
      long next = Math.max(endOfGap(a, task), endOfGap(b, task));
      if (next < task) {
        return OptionalLong.of(task);
      }
      if (next == Long.MAX_VALUE) {
        return OptionalLong.empty();
      }
      task = next + 1;
    }
    return OptionalLong.empty();
  }

  /** {@return the last task of the gap that contains a task; if there is none, a smaller number} */
  private static long endOfGap(SymbolicRecord record, long task) {
    for (Gap gap : record.gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return gap.lastTask();
      }
    }
    return -1;
  }
}
