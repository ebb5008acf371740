package dev.stowage.onnx;

import dev.stowage.core.plan.TensorScope;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a model reader.
 *
 * @param scope the tensors to plan
 * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
 * @param isAliased true if views, the results of {@code Reshape}, {@code Squeeze}, {@code
 *     Unsqueeze}, {@code Flatten} and {@code Identity}, share the memory of their inputs
 */
public record OnnxOptions(TensorScope scope, Map<String, Long> dimensions, boolean isAliased) {

  /**
   * Creates options.
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

  /** {@return options for intermediate tensors, without sizes of dimensions and without aliases} */
  public static OnnxOptions defaults() {
    return new OnnxOptions(TensorScope.INTERMEDIATES, Map.of(), false);
  }

  /** {@return these options with other tensors to plan} */
  public OnnxOptions withScope(TensorScope newScope) {
    return new OnnxOptions(newScope, dimensions, isAliased);
  }

  /** {@return these options with the size of one more dimension} */
  public OnnxOptions withDimension(String name, long size) {
    Map<String, Long> more = new TreeMap<>(dimensions);
    more.put(name, size);
    return new OnnxOptions(scope, more, isAliased);
  }

  /** {@return these options, with views that share the memory of their inputs} */
  public OnnxOptions withAliases() {
    return new OnnxOptions(scope, dimensions, true);
  }
}
