package dev.stowage.core.plan;

/** Which tensors of a model are planned. */
public enum TensorScope {
  /** What operators pass on to operators; the model's inputs and outputs are the caller's. */
  INTERMEDIATES,
  /** Inputs, from task 0 on, and outputs, up to the last task, too. */
  WITH_INPUTS_AND_OUTPUTS
}
