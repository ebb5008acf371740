package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.ShapeProver;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Formulas without references, where a short expression has the same value for all shapes. */
final class ShortFormulas {

  /** The number of characters up to which an expression replaces references. */
  private static final int MAX_CHARACTERS = 60;

  /** The number of boxes of a proof that one end is always the highest. */
  private static final int MAX_BOXES = 50;

  private final SymbolicProblem problem;
  private final ShapeProver prover;
  private final Map<Integer, SizeExpression> known = new HashMap<>();

  private ShortFormulas(SymbolicProblem problem) {
    this.problem = problem;
    prover = ShapeProver.of(problem.ranges()).withBoxLimit(MAX_BOXES);
  }

  /**
   * {@return the formulas, some of them replaced by expressions}
   *
   * @param order the records in an order in which each comes after those that it refers to
   */
  static List<LayoutOffset> of(SymbolicProblem problem, List<LayoutOffset> formulas, int[] order) {
    ShortFormulas shortened = new ShortFormulas(problem);
    List<LayoutOffset> result = new ArrayList<>(formulas);
    for (int record : order) {
      shortened
          .expression(formulas.get(record))
          .ifPresent(expression -> {
            shortened.known.put(record, expression);
            result.set(record, LayoutOffset.of(expression));
          });
    }
    return result;
  }

  private Optional<SizeExpression> expression(LayoutOffset formula) {
    try {
      SizeExpression highest = formula.base();
      for (int below : formula.below()) {
        SizeExpression start = known.get(below);
        if (start == null) {
          return Optional.empty();
        }
        SizeExpression end = start.plus(problem.records().get(below).bytes());
        if (prover.isAtLeast(end, highest)) {
          highest = end;
        } else if (!prover.isAtLeast(highest, end)) {
          return Optional.empty();
        }
      }
      SizeExpression rounded = highest.roundUpTo(formula.multiple());
      return rounded.toString().length() <= MAX_CHARACTERS
          ? Optional.of(rounded)
          : Optional.empty();
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }
}
