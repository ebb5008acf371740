package dev.stowage.tflite.micro;

/**
 * The owners of memory in the tail of an arena, in the order of their allocations. Some of this
 * memory is needed only at the start.
 */
public enum TailPart {
  INTERPRETER("interpreter", "one interpreter for all models"),
  RESOURCE_VARIABLES("list of resource variables", "an arena of its own"),
  TENSORS_AND_OPERATORS("tensors and operators", "fewer of both, also of constants"),
  OPERATOR_DATA("data of operators", "fewer operators"),
  PERSISTENT_BUFFERS("buffers of kernels", "fewer channels, a smaller state"),
  SCRATCH_HANDLES("handles of scratch buffers", "kernels without these buffers"),
  VARIABLES("variables", "a smaller state"),
  AFTER_PLAN("after the plan: inputs, outputs", "fewer inputs and outputs"),
  TO_START("to start: lists of AllocateTensors()", "fewer tensors and operators");

  /** The name for people. */
  public final String label;

  /** The change that makes the part smaller. */
  public final String remedy;

  TailPart(String label, String remedy) {
    this.label = label;
    this.remedy = remedy;
  }
}
