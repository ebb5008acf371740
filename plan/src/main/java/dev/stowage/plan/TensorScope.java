package dev.stowage.plan;

/** The tensors of a model that are planned. */
public enum TensorScope {
  /** Results that other operators read. The caller provides memory for inputs and outputs. */
  INTERMEDIATES,
  /** Also inputs, which are live from task 0 on, and outputs, which are live to the last task. */
  WITH_INPUTS_AND_OUTPUTS
}
