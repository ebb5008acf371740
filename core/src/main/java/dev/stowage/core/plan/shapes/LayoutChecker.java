package dev.stowage.core.plan.shapes;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.OffsetsAssignment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * An independent check of layouts for all shapes of their ranges, by proof and not by samples. It
 * shares no code with the search for layouts.
 *
 * <p>A layout without a violation is valid for every shape. If a {@link ShapeProver} gives up, the
 * check reports a violation without a shape.
 */
public final class LayoutChecker {

  /*
   * A layout is valid if, for every shape,
   *
   *   Z1  no offset is negative;
   *   Z2  every offset is a multiple of the record's alignment and of that of all records;
   *   Z3  no two records need the same byte at the same task;
   *   Z4  every record ends within the arena, if there is one.
   *
   * Sizes are not negative, as SymbolicProblem has proved. An offset is therefore at least the end of
   * each record that its formula refers to, and of those that these refer to. Pairs in which one
   * record refers to the other in this way are disjoint, and so are pairs with disjoint ranges of
   * bytes over all shapes. The prover decides all other pairs: one lies below the other, or a size
   * is 0. A pair that lies one below the other is remembered, since other pairs follow: if x ends
   * below y, and y below z, then x ends below z.
   */

  /** The number of boxes of a proof that one record lies below another one. */
  private static final int QUICK_BOXES = 1_000;

  /** The number of parts of the shapes in which ends are compared with the arena. */
  private static final int ARENA_BOXES = 2_000;

  private final ShapeLayout layout;
  private final List<SymbolicRecord> records;
  private final ShapeProver prover;

  /** A prover of statements that may be false without a violation. */
  private final ShapeProver quickProver;

  private final ShapeBox box;

  /** The records that are known to end below each record for all shapes. */
  private final BitSet[] below;

  /** Ranges that contain the offset and the end of each record for all shapes. */
  private final Interval[] starts;

  private final Interval[] ends;
  private final OffsetExpressions expressions;
  private final OffsetMultiples multiples;

  private LayoutChecker(ShapeLayout layout) {
    this.layout = layout;
    records = layout.problem().records();
    prover = ShapeProver.of(layout.problem().ranges());
    quickProver = prover.withBoxLimit(QUICK_BOXES);
    box = ShapeBox.of(layout.problem().ranges());
    expressions = new OffsetExpressions(layout);
    multiples = new OffsetMultiples(layout, prover);
    below = new BitSet[records.size()];
    starts = new Interval[records.size()];
    ends = new Interval[records.size()];
    Map<SizeExpression, Interval> sizes = new HashMap<>();
    for (int i : layout.order()) {
      follow(i, sizes.computeIfAbsent(records.get(i).bytes(), bytes -> size(bytes, box)));
    }
  }

  /** Derives the properties of a record from those of the records that its formula refers to. */
  private void follow(int record, Interval size) {
    LayoutOffset offset = layout.offsets().get(record);
    below[record] = new BitSet(records.size());
    Interval start = box.tightBounds(offset.base());
    for (int reference : offset.below()) {
      below[record].set(reference);
      below[record].or(below[reference]);
      start = start.max(ends[reference]);
    }
    starts[record] = start.roundedUpTo(offset.multiple());
    ends[record] = starts[record].plus(size);
  }

  /**
   * {@return the first violation of a layout; empty if it is valid for all shapes of its problem}
   *
   * <p>Costs O(1) for each pair of records that conflict and refer to each other, and a proof for
   * each other pair that conflicts.
   *
   * @param layout the layout
   */
  public static Optional<LayoutViolation> violation(ShapeLayout layout) {
    return new LayoutChecker(layout).violation(OptionalLong.empty());
  }

  /**
   * {@return the first violation of a layout in an arena; empty if it is valid for all shapes of
   * its problem}
   *
   * @param layout the layout
   * @param arenaBytes the size of the arena
   */
  public static Optional<LayoutViolation> violation(ShapeLayout layout, long arenaBytes) {
    return new LayoutChecker(layout).violation(OptionalLong.of(arenaBytes));
  }

  private Optional<LayoutViolation> violation(OptionalLong arenaBytes) {
    for (int i = 0; i < records.size(); i++) {
      Optional<LayoutViolation> misplaced = misplacement(i);
      if (misplaced.isPresent()) {
        return misplaced;
      }
    }
    Optional<LayoutViolation> beyond =
        arenaBytes.isPresent() ? beyond(arenaBytes.getAsLong()) : Optional.empty();
    return beyond.isPresent() ? beyond : overlap();
  }

  private Optional<LayoutViolation> misplacement(int record) {
    if (starts[record].first() < 0) {
      ShapeProof proof = prove(expressions.start(record));
      if (!proof.isProved()) {
        return Optional.of(
            violation(LayoutViolation.Kind.NEGATIVE, "Z1", "starts below 0", proof, record));
      }
    }
    long alignment = layout.problem().alignmentOf(records.get(record));
    if (!multiples.isMultiple(record, alignment)) {
      ShapeProof proof =
          prove(
              expressions
                  .start(record)
                  .map(offset -> OffsetMultiples.remainderAsNegative(offset, alignment)));
      if (!proof.isProved()) {
        return Optional.of(
            violation(
                LayoutViolation.Kind.MISALIGNED,
                "Z2",
                String.format(
                    Locale.ROOT, "starts at an offset that is not a multiple of %d", alignment),
                proof,
                record));
      }
    }
    return Optional.empty();
  }

  /**
   * {@return the violation of an arena}
   *
   * <p>A part of the shapes is certified if all records end within the arena although each size is
   * the largest one of the part. Otherwise, the part is divided.
   */
  private Optional<LayoutViolation> beyond(long arenaBytes) {
    Deque<ShapeBox> boxes = new ArrayDeque<>();
    boxes.push(box);
    int count = 0;
    while (!boxes.isEmpty()) {
      ShapeBox part = boxes.pop();
      Interval[] partEnds = new Interval[records.size()];
      int highest = followEnds(part, partEnds);
      if (highest < 0 || partEnds[highest].last() <= arenaBytes) {
        continue;
      }
      for (DimensionValues corner : List.of(part.first(), part.last())) {
        OffsetsAssignment plan = layout.at(corner);
        if (plan.totalBytes() > arenaBytes) {
          return Optional.of(beyond(plan, corner, arenaBytes));
        }
      }
      List<String> open = part.openDimensions();
      if (open.isEmpty() || ++count > ARENA_BOXES) {
        return Optional.of(
            violation(
                LayoutViolation.Kind.BEYOND_ARENA,
                "Z4",
                "",
                new ShapeProof.Undecided(
                    String.format(
                        Locale.ROOT,
                        "its end within %d bytes is not decided after %d parts of the shapes",
                        arenaBytes,
                        ARENA_BOXES)),
                highest));
      }
      boxes.addAll(part.halves(part.relativelyWidest(open)));
    }
    return Optional.empty();
  }

  private LayoutViolation beyond(OffsetsAssignment plan, DimensionValues shape, long arenaBytes) {
    int highest = 0;
    while (plan.offset(highest) + records.get(highest).bytes().evaluate(shape)
        < plan.totalBytes()) {
      highest++;
    }
    return violation(
        LayoutViolation.Kind.BEYOND_ARENA,
        "Z4",
        String.format(Locale.ROOT, "ends beyond the arena of %d bytes", arenaBytes),
        new ShapeProof.Refuted(shape, ""),
        highest);
  }

  /** Computes the ends in a part of the shapes, and {@return the record with the highest bound} */
  private int followEnds(ShapeBox part, Interval[] partEnds) {
    Map<SizeExpression, Interval> sizes = new HashMap<>();
    int highest = -1;
    for (int i : layout.order()) {
      LayoutOffset offset = layout.offsets().get(i);
      Interval start = part.tightBounds(offset.base());
      for (int reference : offset.below()) {
        start = start.max(partEnds[reference]);
      }
      Interval size = sizes.computeIfAbsent(records.get(i).bytes(), bytes -> size(bytes, part));
      partEnds[i] = start.roundedUpTo(offset.multiple()).plus(size);
      if (highest < 0 || partEnds[i].last() > partEnds[highest].last()) {
        highest = i;
      }
    }
    return highest;
  }

  /** {@return a range of a size, which is not negative although its bounds may be} */
  private static Interval size(SizeExpression bytes, ShapeBox part) {
    return part.tightBounds(bytes).max(Interval.of(0));
  }

  /** Checks each record with those that are not higher for the largest shape, the highest first. */
  private Optional<LayoutViolation> overlap() {
    long[] placed = layout.offsets(layout.problem().ranges().last());
    int[] places = new int[records.size()];
    int[] order = layout.order();
    for (int i = 0; i < order.length; i++) {
      places[order[i]] = i;
    }
    List<Integer> ascending =
        IntStream.range(0, records.size())
            .boxed()
            .sorted(
                Comparator.<Integer>comparingLong(i -> placed[i]).thenComparingInt(i -> places[i]))
            .toList();
    for (int a = 0; a < ascending.size(); a++) {
      int upper = ascending.get(a);
      for (int reference : layout.offsets().get(upper).below()) {
        below[upper].or(below[reference]);
      }
      for (int b = a - 1; b >= 0; b--) {
        Optional<LayoutViolation> overlap = overlap(ascending.get(b), upper);
        if (overlap.isPresent()) {
          return overlap;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<LayoutViolation> overlap(int lower, int upper) {
    if (below[upper].get(lower)
        || ends[lower].last() <= starts[upper].first()
        || ends[upper].last() <= starts[lower].first()) {
      return Optional.empty();
    }
    OptionalLong task = commonTask(records.get(lower), records.get(upper));
    if (task.isEmpty() || below[lower].get(upper)) {
      return Optional.empty();
    }
    if (isBelow(lower, upper)) {
      below[upper].set(lower);
      below[upper].or(below[lower]);
      return Optional.empty();
    }
    int i = Math.min(lower, upper);
    int j = Math.max(lower, upper);
    ShapeProof proof = prove(disjointness(i, j));
    return proof.isProved()
        ? Optional.empty()
        : Optional.of(
            violation(
                LayoutViolation.Kind.OVERLAP,
                "Z3",
                String.format(Locale.ROOT, "need the same bytes at task %d", task.getAsLong()),
                proof,
                i,
                j));
  }

  /** {@return true if a record ends below another one for all shapes} */
  private boolean isBelow(int lower, int upper) {
    Optional<SizeExpression> end = expressions.end(lower);
    Optional<SizeExpression> start = expressions.start(upper);
    return end.isPresent()
        && start.isPresent()
        && quickProver.isAtLeast(start.get(), end.get()).isProved();
  }

  /**
   * {@return an expression that is not negative for the shapes for which two records are disjoint}
   */
  private Optional<SizeExpression> disjointness(int i, int j) {
    Optional<SizeExpression> startOfI = expressions.start(i);
    Optional<SizeExpression> startOfJ = expressions.start(j);
    if (startOfI.isEmpty() || startOfJ.isEmpty()) {
      return Optional.empty();
    }
    SizeExpression sizeOfI = records.get(i).bytes();
    SizeExpression sizeOfJ = records.get(j).bytes();
    try {
      SizeExpression distance = startOfJ.get().minus(startOfI.get());
      return Optional.of(
          Maximum.of(
              List.of(
                  distance.minus(sizeOfI),
                  distance.negated().minus(sizeOfJ),
                  sizeOfI.negated(),
                  sizeOfJ.negated())));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
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
    for (Gap gap : record.constraints().gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return gap.lastTask();
      }
    }
    return -1;
  }

  private ShapeProof prove(Optional<SizeExpression> expression) {
    return expression
        .map(prover::isNotNegative)
        .orElseGet(() -> new ShapeProof.Undecided("the expression of an offset is too large"));
  }

  private LayoutViolation violation(
      LayoutViolation.Kind kind, String label, String problem, ShapeProof proof, int... indices) {
    List<String> labels = IntStream.of(indices).mapToObj(i -> records.get(i).label(i)).toList();
    String subject = label + " " + String.join(" and ", labels);
    return switch (proof) {
      case ShapeProof.Refuted refuted ->
          new LayoutViolation(
              kind,
              IntStream.of(indices).boxed().toList(),
              Optional.of(refuted.counterexample()),
              String.format(
                  Locale.ROOT,
                  "%s %s at %s: %s",
                  subject,
                  problem,
                  refuted.counterexample(),
                  places(refuted.counterexample(), indices)));
      case ShapeProof.Undecided undecided ->
          new LayoutViolation(
              kind,
              IntStream.of(indices).boxed().toList(),
              Optional.empty(),
              String.format(
                  Locale.ROOT, "%s cannot be certified: %s", subject, undecided.reason()));
      case ShapeProof.Proved proved -> throw new AssertionError("a proof is not a violation");
    };
  }

  private String places(DimensionValues shape, int... indices) {
    long[] placed = layout.offsets(shape);
    return String.join(
        ", ",
        IntStream.of(indices)
            .mapToObj(i ->
                String.format(
                    Locale.ROOT,
                    "bytes %d to %d",
                    placed[i],
                    placed[i] + records.get(i).bytes().evaluate(shape)))
            .toList());
  }
}
