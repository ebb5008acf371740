package dev.stowage.pages.label;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The dimensions of a tensor and the type of its elements.
 *
 * @param dimensions the dimensions; empty for a scalar
 * @param elementType the type of the elements, as the model's format names it
 */
public record TypedShape(List<Long> dimensions, String elementType) {

  /** The number of dimensions that a text has. */
  private static final int MAX_SHOWN = 12;

  public TypedShape {
    dimensions = List.copyOf(dimensions);
  }

  /** {@return the text for people: {@code 1x96x96x8 INT8}, or {@code scalar FLOAT32}} */
  @Override
  public String toString() {
    if (dimensions.isEmpty()) {
      return "scalar " + elementType;
    }
    String shown =
        dimensions.stream().limit(MAX_SHOWN).map(String::valueOf).collect(Collectors.joining("x"));
    return shown + (dimensions.size() > MAX_SHOWN ? "x… " : " ") + elementType;
  }
}
