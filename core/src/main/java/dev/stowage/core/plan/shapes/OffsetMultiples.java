package dev.stowage.core.plan.shapes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers that the offsets of a layout are multiples of for all shapes, by its formulas. */
final class OffsetMultiples {

  private final ShapeLayout layout;
  private final ShapeProver prover;
  private final Map<List<Long>, Boolean> known = new HashMap<>();

  OffsetMultiples(ShapeLayout layout, ShapeProver prover) {
    this.layout = layout;
    this.prover = prover;
  }

  /** {@return true if the formulas imply that an offset is a multiple of a number} */
  boolean isMultiple(int record, long number) {
    if (number == 1) {
      return true;
    }
    List<Long> key = List.of((long) record, number);
    Boolean answer = known.get(key);
    if (answer == null) {
      answer = follows(record, number);
      known.put(key, answer);
    }
    return answer;
  }

  private boolean follows(int record, long number) {
    LayoutOffset offset = layout.offsets().get(record);
    if (offset.multiple() % number == 0) {
      return true;
    }
    if (number % offset.multiple() != 0 || !isMultiple(offset.base(), number)) {
      return false;
    }
    return offset.below().stream()
        .allMatch(reference ->
            isMultiple(layout.problem().records().get(reference).bytes(), number)
                && isMultiple(reference.intValue(), number));
  }

  private boolean isMultiple(SizeExpression expression, long number) {
    SizeExpression remainder = remainderAsNegative(expression, number);
    return remainder.constant().isPresent()
        ? remainder.constant().getAsLong() == 0
        : prover.isNotNegative(remainder).isProved();
  }

  /** {@return the remainder of a division with the opposite sign; 0 for multiples} */
  static SizeExpression remainderAsNegative(SizeExpression expression, long number) {
    return expression.floorDivide(number).times(number).minus(expression);
  }
}
