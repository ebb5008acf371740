package dev.stowage.onnx;

import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.TensorScope;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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
      new OnnxOptions(TensorScope.INTERMEDIATES, Map.of(), false, List.of(), Map.of());

  private final TensorScope scope;
  private final Map<String, Long> dimensions;
  private final boolean isAliased;
  private final List<Integer> order;
  private final Map<String, ValueType.Tensor> observedTypes;

  private OnnxOptions(
      TensorScope scope,
      Map<String, Long> dimensions,
      boolean isAliased,
      List<Integer> order,
      Map<String, ValueType.Tensor> observedTypes) {
    this.scope = scope;
    this.dimensions = Collections.unmodifiableMap(new TreeMap<>(dimensions));
    this.isAliased = isAliased;
    this.order = List.copyOf(order);
    this.observedTypes = Map.copyOf(observedTypes);
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
    return new OnnxOptions(newScope, dimensions, isAliased, order, observedTypes);
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
    return new OnnxOptions(scope, more, isAliased, order, observedTypes);
  }

  /**
   * {@return these options, with views that share the memory of their inputs, and results that may
   * be in place of an input}
   *
   * <p>Views are the results of {@code Reshape}, {@code Squeeze}, {@code Unsqueeze}, {@code
   * Flatten} and {@code Identity}. {@code Relu}, {@code Add} and other operators that work element
   * by element may write over an input if no other operator reads it later.
   */
  public OnnxOptions withAliases() {
    return new OnnxOptions(scope, dimensions, true, order, observedTypes);
  }

  /**
   * {@return these options with another order of the operators of the main graph}
   *
   * <p>A model is then read as if its file had the operators in this order.
   *
   * @param newOrder the operators by their indices in the file, each once; empty for the order of
   *     the file
   * @throws IllegalArgumentException if the order does not contain each index from 0 once
   */
  public OnnxOptions withOrder(List<Integer> newOrder) {
    OnnxFile.checkOrder(newOrder);
    return new OnnxOptions(scope, dimensions, isAliased, newOrder, observedTypes);
  }

  /**
   * {@return these options with the type of one more tensor in a run}
   *
   * <p>A reader uses it if the size of the tensor is not known before a run, as for {@code
   * NonZero}.
   *
   * @param name the tensor
   * @param type its type
   * @throws IllegalArgumentException if ONNX has no such type of elements, or a dimension is
   *     negative
   */
  public OnnxOptions withObservedType(String name, OnnxTensorType type) {
    Map<String, ValueType.Tensor> more = new HashMap<>(observedTypes);
    more.put(name, OnnxTensorType.toValueType(type));
    return new OnnxOptions(scope, dimensions, isAliased, order, more);
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

  /** {@return the operators by their indices in the file; empty for the order of the file} */
  public List<Integer> order() {
    return order;
  }

  /** {@return the types of tensors in a run, by name} */
  Map<String, ValueType.Tensor> observedTypes() {
    return observedTypes;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "OnnxOptions[scope=%s, dimensions=%s, isAliased=%s, order=%s, observedTypes=%s]",
        scope,
        dimensions,
        isAliased,
        order,
        new TreeMap<>(observedTypes));
  }
}
