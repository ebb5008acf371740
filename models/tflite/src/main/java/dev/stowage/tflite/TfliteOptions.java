package dev.stowage.tflite;

import dev.stowage.plan.TensorScope;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The options of a {@link TfliteReader}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TfliteOptions {

  private static final TfliteOptions DEFAULTS =
      new TfliteOptions(TensorScope.INTERMEDIATES, false, List.of());

  private final TensorScope scope;
  private final boolean isInPlace;
  private final List<Integer> order;

  private TfliteOptions(TensorScope scope, boolean isInPlace, List<Integer> order) {
    this.scope = scope;
    this.isInPlace = isInPlace;
    this.order = List.copyOf(order);
  }

  /** {@return options for intermediate tensors; none may be in place of another} */
  public static TfliteOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with other tensors to plan}
   *
   * @param newScope the tensors to plan
   */
  public TfliteOptions withScope(TensorScope newScope) {
    return new TfliteOptions(newScope, isInPlace, order);
  }

  /**
   * {@return these options with results in place of an input, where TensorFlow Lite's kernels
   * permit it}
   *
   * <p>{@code ADD}, {@code SUB}, {@code MUL} and {@code DIV} may write over their first or second
   * input, {@code SOFTMAX} and {@code DYNAMIC_UPDATE_SLICE} over the first. The result of {@code
   * RESHAPE}, {@code SQUEEZE}, {@code EXPAND_DIMS} and {@code BITCAST} has the bytes of the first
   * input. The input and the result must have the same number of bytes. No later operator and no
   * other input of the operator may read the input. Neither the input nor the result may be an
   * input or output of the graph. If two inputs qualify, the first one is chosen.
   */
  public TfliteOptions withInPlace() {
    return new TfliteOptions(scope, true, order);
  }

  /**
   * {@return these options with another order of the operators of the main subgraph}
   *
   * <p>The reader then reads a model as if its file had the operators in this order.
   *
   * @param newOrder the operators by their indices in the file, each once; empty for the order of
   *     the file
   * @throws IllegalArgumentException if the order does not contain each index from 0 once
   */
  public TfliteOptions withOrder(List<Integer> newOrder) {
    if (!newOrder.stream()
        .sorted()
        .toList()
        .equals(IntStream.range(0, newOrder.size()).boxed().toList())) {
      throw new IllegalArgumentException(
          "an order must contain each operator from 0 once: order=" + newOrder);
    }
    return new TfliteOptions(scope, isInPlace, newOrder);
  }

  /** {@return the tensors to plan} */
  public TensorScope scope() {
    return scope;
  }

  /** {@return true if results may be in place of an input} */
  public boolean isInPlace() {
    return isInPlace;
  }

  /** {@return the operators by their indices in the file; empty for the order of the file} */
  public List<Integer> order() {
    return order;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "TfliteOptions[scope=%s, inPlace=%s, order=%s]", scope, isInPlace, order);
  }
}
