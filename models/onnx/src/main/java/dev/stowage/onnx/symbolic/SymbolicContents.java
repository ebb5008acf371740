package dev.stowage.onnx.symbolic;

import java.util.Collections;
import java.util.List;

/** The known elements of a tensor, such as the new shape of a {@code Reshape}. */
sealed interface SymbolicContents {

  /** The largest number of listed elements. */
  int MAX_COUNT = 1024;

  /** {@return the element at an index in row-major order} */
  Quantity at(int index);

  /**
   * Elements in row-major order.
   *
   * @param elements the elements
   */
  record Listed(List<Quantity> elements) implements SymbolicContents {

    public Listed {
      elements = List.copyOf(elements);
    }

    @Override
    public Quantity at(int index) {
      return elements.get(index);
    }
  }

  /**
   * Equal elements; their number may be an expression.
   *
   * @param element each element
   */
  record Uniform(Quantity element) implements SymbolicContents {

    @Override
    public Quantity at(int index) {
      return element;
    }
  }

  /** {@return the elements as a list of a length} */
  default List<Quantity> list(int count) {
    return switch (this) {
      case Listed listed -> listed.elements();
      case Uniform uniform -> Collections.nCopies(count, uniform.element());
    };
  }
}
