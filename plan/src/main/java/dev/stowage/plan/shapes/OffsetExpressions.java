package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The offsets of a layout as expressions of dimensions only, without references. */
final class OffsetExpressions {

  private final ShapeLayout layout;

  /** The offsets that were needed so far, empty if too large. */
  private final Map<Integer, Optional<SizeExpression>> expanded = new HashMap<>();

  OffsetExpressions(ShapeLayout layout) {
    this.layout = layout;
  }

  /** {@return the offset of a record; empty if its expression is too large} */
  Optional<SizeExpression> start(int record) {
    layout.visitFromBelow(
        record,
        expanded::containsKey,
        other -> expanded.put(other, expand(layout.offsets().get(other))));
    return expanded.getOrDefault(record, Optional.empty());
  }

  /** {@return the end of a record; empty if its expression is too large} */
  Optional<SizeExpression> end(int record) {
    try {
      return start(record).map(start -> start.plus(bytes(record)));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** {@return the failed proof of a statement about an offset without an expression} */
  static ShapeProof tooLarge() {
    return new ShapeProof.Undecided("the expression of an offset is too large");
  }

  private SizeExpression bytes(int record) {
    return layout.problem().records().get(record).bytes();
  }

  private Optional<SizeExpression> expand(LayoutOffset offset) {
    List<SizeExpression> parts = new ArrayList<>();
    parts.add(offset.base());
    for (int reference : offset.below()) {
      Optional<SizeExpression> end = end(reference);
      if (end.isEmpty()) {
        return Optional.empty();
      }
      parts.add(end.get());
    }
    try {
      return Optional.of(SizeExpression.largest(parts).roundUpTo(offset.multiple()));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }
}
