package dev.stowage.tflite.order;

import dev.stowage.tflite.model.ModelOperator;
import java.util.Set;

/** The order that the operators of a subgraph must keep. */
public final class RequiredOrder {

  private final TensorOrder tensors = new TensorOrder();
  private final EffectOrder effects;

  /**
   * Creates the order of a subgraph.
   *
   * @param isVariable true for each tensor that keeps its value between runs
   */
  public RequiredOrder(boolean[] isVariable) {
    effects = new EffectOrder(isVariable);
  }

  /**
   * {@return the operators that must run before the next one}
   *
   * @param operator the next operator
   * @param index its index
   */
  public Set<Integer> next(ModelOperator operator, int index) {
    Set<Integer> before = tensors.next(operator, index);
    before.addAll(effects.next(operator, index));
    return before;
  }
}
