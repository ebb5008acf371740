package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.List;
import java.util.Optional;

/**
 * The known parts of a value.
 *
 * @param elementCode the type of the elements, a code of {@link ElementType}; 0 if it is unknown
 * @param shape the shape, or empty if the rank is unknown
 * @param contents the elements, if they are known
 * @param cause the operator without a known shape that makes the rank unknown, or an empty text
 */
record SymbolicValue(
    int elementCode,
    Optional<SymbolicShape> shape,
    Optional<SymbolicContents> contents,
    String cause) {

  /** An omitted input. */
  static final SymbolicValue ABSENT = new SymbolicValue(0, Optional.empty(), Optional.empty(), "");

  static SymbolicValue of(int elementCode, SymbolicShape shape) {
    return new SymbolicValue(elementCode, Optional.of(shape), Optional.empty(), "");
  }

  static SymbolicValue unknown(int elementCode, String cause) {
    return new SymbolicValue(elementCode, Optional.empty(), Optional.empty(), cause);
  }

  /** {@return a list of 64-bit integers} */
  static SymbolicValue listOf(List<Quantity> elements) {
    return of(ElementType.INT64.code(), SymbolicShape.ofConstants(elements.size()))
        .withContents(new SymbolicContents.Listed(elements));
  }

  /** {@return a 64-bit integer} */
  static SymbolicValue scalarOf(SizeExpression element) {
    return of(ElementType.INT64.code(), SymbolicShape.SCALAR)
        .withContents(new SymbolicContents.Listed(List.of(Quantity.of(element))));
  }

  SymbolicValue withContents(SymbolicContents elements) {
    if (elements instanceof SymbolicContents.Listed listed
        && listed.elements().size() > SymbolicContents.MAX_COUNT) {
      return withoutContents();
    }
    return new SymbolicValue(elementCode, shape, Optional.of(elements), cause);
  }

  SymbolicValue withContents(Optional<? extends SymbolicContents> elements) {
    return elements.isPresent() ? withContents(elements.get()) : withoutContents();
  }

  SymbolicValue withoutContents() {
    return new SymbolicValue(elementCode, shape, Optional.empty(), cause);
  }

  SymbolicValue withElementCode(int code) {
    return new SymbolicValue(code, shape, contents, cause);
  }

  /** {@return the elements as a list if their number is a small constant} */
  Optional<List<Quantity>> listed() {
    return contents.flatMap(elements ->
        shape
            .flatMap(SymbolicShape::constants)
            .flatMap(dimensions -> {
              long count = 1;
              for (int dimension : dimensions) {
                count = Math.min(count * dimension, SymbolicContents.MAX_COUNT + 1);
              }
              return count > SymbolicContents.MAX_COUNT
                  ? Optional.empty()
                  : Optional.of(elements.list((int) count));
            }));
  }
}
