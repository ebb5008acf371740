package dev.stowage.plan.shapes;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.Violation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
   * LayoutIntervals bounds offsets and ends over all shapes, which decides most cases. The prover
   * decides the others.
   */

  /** The number of parts of the shapes in which ends are compared with the arena. */
  private static final int ARENA_BOXES = 2_000;

  private final ShapeLayout layout;
  private final List<SymbolicRecord> records;
  private final ShapeProver prover;
  private final ShapeBox box;
  private final LayoutIntervals intervals;
  private final OffsetExpressions expressions;
  private final OffsetMultiples multiples;

  private LayoutChecker(ShapeLayout layout) {
    this.layout = layout;
    records = layout.problem().records();
    prover = ShapeProver.of(layout.problem().ranges());
    box = ShapeBox.of(layout.problem().ranges());
    intervals = new LayoutIntervals(layout, box);
    expressions = new OffsetExpressions(layout);
    multiples = new OffsetMultiples(layout, prover);
  }

  /**
   * {@return the first violation of a layout; empty if it is valid for all shapes of its problem}
   *
   * <p>For n records whose formulas refer to the records below them, the check costs O(n log n) and
   * O(n²) bits. For each record whose formula does not, it costs O(n) and up to n proofs.
   *
   * @param layout the layout
   */
  public static Optional<Violation> violation(ShapeLayout layout) {
    return new LayoutChecker(layout).violation(OptionalLong.empty());
  }

  /**
   * {@return the first violation of a layout in an arena; empty if it is valid for all shapes of
   * its problem}
   *
   * @param layout the layout
   * @param arenaBytes the size of the arena
   */
  public static Optional<Violation> violation(ShapeLayout layout, long arenaBytes) {
    return new LayoutChecker(layout).violation(OptionalLong.of(arenaBytes));
  }

  private Optional<Violation> violation(OptionalLong arenaBytes) {
    for (int i = 0; i < records.size(); i++) {
      Optional<Violation> misplaced = misplacement(i);
      if (misplaced.isPresent()) {
        return misplaced;
      }
    }
    Optional<Violation> beyond =
        arenaBytes.isPresent() ? beyond(arenaBytes.getAsLong()) : Optional.empty();
    return beyond.isPresent() ? beyond : overlap();
  }

  private Optional<Violation> misplacement(int record) {
    if (intervals.lowestStart(record) < 0) {
      ShapeProof proof = prove(expressions.start(record));
      if (!proof.isProved()) {
        return Optional.of(
            violation(Violation.Kind.NEGATIVE, "Z1", "starts below 0", proof, record));
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
                Violation.Kind.MISALIGNED,
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
  private Optional<Violation> beyond(long arenaBytes) {
    Deque<ShapeBox> boxes = new ArrayDeque<>();
    boxes.push(box);
    int count = 0;
    while (!boxes.isEmpty()) {
      ShapeBox part = boxes.pop();
      LayoutIntervals ofPart = part == box ? intervals : new LayoutIntervals(layout, part);
      OptionalInt highest = ofPart.beyond(arenaBytes);
      if (highest.isEmpty()) {
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
                Violation.Kind.BEYOND_ARENA,
                "Z4",
                "",
                new ShapeProof.Undecided(
                    String.format(
                        Locale.ROOT,
                        "its end within %d bytes is not decided after %d parts of the shapes",
                        arenaBytes,
                        ARENA_BOXES)),
                highest.getAsInt()));
      }
      boxes.addAll(part.halves(part.relativelyWidest(open)));
    }
    return Optional.empty();
  }

  private Violation beyond(OffsetsAssignment plan, DimensionValues shape, long arenaBytes) {
    int highest = 0;
    while (plan.offset(highest) + records.get(highest).bytes().evaluate(shape)
        < plan.totalBytes()) {
      highest++;
    }
    return violation(
        Violation.Kind.BEYOND_ARENA,
        "Z4",
        String.format(Locale.ROOT, "ends beyond the arena of %d bytes", arenaBytes),
        new ShapeProof.Refuted(shape, ""),
        highest);
  }

  private Optional<Violation> overlap() {
    return new LayoutOverlaps(layout, intervals, expressions, prover)
        .first()
        .map(overlap ->
            violation(
                Violation.Kind.OVERLAP,
                "Z3",
                String.format(Locale.ROOT, "need the same bytes at task %d", overlap.task()),
                overlap.proof(),
                Math.min(overlap.lower(), overlap.upper()),
                Math.max(overlap.lower(), overlap.upper())));
  }

  private ShapeProof prove(Optional<SizeExpression> expression) {
    return expression.map(prover::proveNotNegative).orElseGet(OffsetExpressions::tooLarge);
  }

  private Violation violation(
      Violation.Kind kind, String label, String problem, ShapeProof proof, int... indices) {
    List<String> labels = IntStream.of(indices).mapToObj(i -> records.get(i).label(i)).toList();
    String subject = label + " " + String.join(" and ", labels);
    return switch (proof) {
      case ShapeProof.Refuted refuted ->
          Violation.atShape(
              kind,
              refuted.counterexample().toMap(),
              String.format(
                  Locale.ROOT,
                  "%s %s at %s: %s",
                  subject,
                  problem,
                  refuted.counterexample(),
                  places(refuted.counterexample(), indices)),
              indices);
      case ShapeProof.Undecided undecided ->
          Violation.atShape(
              kind,
              Map.of(),
              String.format(Locale.ROOT, "%s cannot be certified: %s", subject, undecided.reason()),
              indices);
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
