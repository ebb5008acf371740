package dev.stowage.tflite.micro;

/** The owners of memory in the tail of an arena, in the order in which they take it. */
public enum TailPart {
  /** The objects of the interpreter, and its lists of subgraphs. */
  INTERPRETER,

  /** The list of resource variables, if the program keeps it in this arena. */
  RESOURCE_VARIABLES,

  /** A structure for each tensor, also for constants, and one for each operator. */
  TENSORS_AND_OPERATORS,

  /** The parsed options of each operator, and the data of its kernel. */
  OPERATOR_DATA,

  /** Data of kernels that depend on shapes, values of resource variables, and decompression. */
  PERSISTENT_BUFFERS,

  /** A handle for each scratch buffer. */
  SCRATCH_HANDLES,

  /** The variables that no plan places. */
  VARIABLES,

  /** Structures of the inputs and outputs of the model, which are allocated after the plan. */
  AFTER_PLAN
}
