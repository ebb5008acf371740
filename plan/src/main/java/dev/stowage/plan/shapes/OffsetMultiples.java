package dev.stowage.plan.shapes;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The numbers that the offsets of a layout are multiples of for all shapes, by its formulas. */
final class OffsetMultiples {

  private final ShapeLayout layout;
  private final ShapeProver prover;
  private final Map<Long, Answers> known = new HashMap<>();

  OffsetMultiples(ShapeLayout layout, ShapeProver prover) {
    this.layout = layout;
    this.prover = prover;
  }

  /** {@return true if the formulas imply that an offset is a multiple of a number} */
  boolean isMultiple(int record, long number) {
    return number == 1
        || known.computeIfAbsent(number, n -> this.new Answers(n)).isMultipleOffset(record);
  }

  /** {@return the remainder of a division with the opposite sign; 0 for multiples} */
  static SizeExpression remainderAsNegative(SizeExpression expression, long number) {
    return expression.floorDivide(number).times(number).minus(expression);
  }

  /** The answers for one number. */
  private final class Answers {

    private final long number;
    private final Map<Integer, Boolean> offsets = new HashMap<>();
    private final Map<SizeExpression, Boolean> expressions = new HashMap<>();

    Answers(long number) {
      this.number = number;
    }

    boolean isMultipleOffset(int record) {
      layout.visitFromBelow(
          record,
          other -> isAnswered(other),
          other ->
              offsets.put(
                  other, layout.offsets().get(other).below().stream().allMatch(offsets::get)));
      return offsets.getOrDefault(record, false);
    }

    /** {@return true if an answer is known, or follows without those for the records below} */
    private boolean isAnswered(int record) {
      if (!offsets.containsKey(record)) {
        alone(layout.offsets().get(record)).ifPresent(answer -> offsets.put(record, answer));
      }
      return offsets.containsKey(record);
    }

    private Optional<Boolean> alone(LayoutOffset offset) {
      if (offset.multiple() % number == 0) {
        return Optional.of(true);
      }
      boolean isPossible =
          number % offset.multiple() == 0
              && isMultiple(offset.base())
              && offset.below().stream()
                  .allMatch(other -> isMultiple(layout.problem().records().get(other).bytes()));
      return isPossible ? Optional.empty() : Optional.of(false);
    }

    private boolean isMultiple(SizeExpression expression) {
      return expressions.computeIfAbsent(expression, this::isProved);
    }

    private boolean isProved(SizeExpression expression) {
      SizeExpression remainder = remainderAsNegative(expression, number);
      return remainder.constant().isPresent()
          ? remainder.constant().getAsLong() == 0
          : prover.isNotNegative(remainder);
    }
  }
}
