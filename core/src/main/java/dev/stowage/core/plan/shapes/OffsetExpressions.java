package dev.stowage.core.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The offsets of a layout as expressions of dimensions only, without references. */
final class OffsetExpressions {

  private final ShapeLayout layout;

  /** The offset of each record, empty if it is too large; the list is empty until one is needed. */
  private List<Optional<SizeExpression>> expanded = List.of();

  OffsetExpressions(ShapeLayout layout) {
    this.layout = layout;
  }

  /** {@return the offset of a record; empty if its expression is too large} */
  Optional<SizeExpression> start(int record) {
    if (expanded.isEmpty()) {
      expand();
    }
    return expanded.get(record);
  }

  /** {@return the end of a record; empty if its expression is too large} */
  Optional<SizeExpression> end(int record) {
    try {
      return start(record).map(start -> start.plus(bytes(record)));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  private SizeExpression bytes(int record) {
    return layout.problem().records().get(record).bytes();
  }

  private void expand() {
    expanded = new ArrayList<>();
    for (int i = 0; i < layout.offsets().size(); i++) {
      expanded.add(Optional.empty());
    }
    for (int i : layout.order()) {
      expanded.set(i, expand(layout.offsets().get(i)));
    }
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
      return Optional.of(Maximum.of(parts).roundUpTo(offset.multiple()));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }
}
