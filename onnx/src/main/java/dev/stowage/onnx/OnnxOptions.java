package dev.stowage.onnx;

import dev.stowage.core.plan.TensorScope;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a model reader.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class OnnxOptions {

  private static final OnnxOptions DEFAULTS =
      new OnnxOptions(TensorScope.INTERMEDIATES, Map.of(), false);

  private final TensorScope scope;
  private final Map<String, Long> dimensions;
  private final boolean isAliased;

  private OnnxOptions(TensorScope scope, Map<String, Long> dimensions, boolean isAliased) {
    this.scope = scope;
    this.dimensions = Collections.unmodifiableMap(new TreeMap<>(dimensions));
    this.isAliased = isAliased;
  }

  /** {@return options for intermediate tensors, without sizes of dimensions and without aliases} */
  public static OnnxOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with other tensors to plan}
   *
   * @param newScope the tensors to plan
   */
  public OnnxOptions withScope(TensorScope newScope) {
    return new OnnxOptions(newScope, dimensions, isAliased);
  }

  /**
   * {@return these options with the size of one more dimension}
   *
   * @param name an open dimension, by name or by position as {@code input[axis]}
   * @param size the size
   * @throws IllegalArgumentException if {@code size < 0}
   */
  public OnnxOptions withDimension(String name, long size) {
    if (size < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "dimension '%s' is %d, expected 0 or more", name, size));
    }
    Map<String, Long> more = new TreeMap<>(dimensions);
    more.put(name, size);
    return new OnnxOptions(scope, Collections.unmodifiableMap(more), isAliased);
  }

  /**
   * {@return these options, with views that share the memory of their inputs, and results that may
   * be in place of an input}
   *
   * <p>Views are the results of {@code Reshape}, {@code Squeeze}, {@code Unsqueeze}, {@code
   * Flatten} and {@code Identity}. Operators that work element by element, such as {@code Relu} and
   * {@code Add}, may write over an input that no other operator reads later.
   */
  public OnnxOptions withAliases() {
    return new OnnxOptions(scope, dimensions, true);
  }

  /** {@return the tensors to plan} */
  public TensorScope scope() {
    return scope;
  }

  /** {@return the sizes of open dimensions, by name or by position as {@code input[axis]}} */
  public Map<String, Long> dimensions() {
    return dimensions;
  }

  /**
   * {@return true if views share the memory of their inputs, and results may be in place of an
   * input}
   */
  public boolean isAliased() {
    return isAliased;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "OnnxOptions[scope=%s, dimensions=%s, isAliased=%s]",
        scope,
        dimensions,
        isAliased);
  }
}
