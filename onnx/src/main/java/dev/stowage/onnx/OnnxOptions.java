package dev.stowage.onnx;

import dev.stowage.core.plan.TensorScope;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a model is read.
 *
 * @param scope which tensors are planned
 * @param dimensions the sizes of dimensions that the file leaves open: by their names, or, for one
 *     without a name, as {@code input[axis]}
 * @param isAliased whether the result of an operator that only views its input ({@code Reshape},
 *     {@code Squeeze}, {@code Unsqueeze}, {@code Flatten}, {@code Identity}) shares its memory
 */
public record OnnxOptions(TensorScope scope, Map<String, Long> dimensions, boolean isAliased) {

  /**
   * Options.
   *
   * @throws IllegalArgumentException if a dimension is below 0
   */
  public OnnxOptions {
    dimensions = Collections.unmodifiableMap(new TreeMap<>(dimensions));
    dimensions.forEach((name, size) -> {
      if (size < 0) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "dimension '%s' is %d, expected 0 or more", name, size));
      }
    });
  }

  /** {@return intermediates alone, no dimension fixed, nothing shared with views} */
  public static OnnxOptions defaults() {
    return new OnnxOptions(TensorScope.INTERMEDIATES, Map.of(), false);
  }

  /** {@return these options for other tensors} */
  public OnnxOptions withScope(TensorScope newScope) {
    return new OnnxOptions(newScope, dimensions, isAliased);
  }

  /** {@return these options with one more dimension fixed} */
  public OnnxOptions withDimension(String name, long size) {
    Map<String, Long> more = new TreeMap<>(dimensions);
    more.put(name, size);
    return new OnnxOptions(scope, more, isAliased);
  }

  /** {@return these options, where views share their input's memory} */
  public OnnxOptions withAliases() {
    return new OnnxOptions(scope, dimensions, true);
  }
}
