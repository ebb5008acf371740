package dev.stowage.trace.format;

/** The program that made a recording. It decides which settings its allocator has. */
public enum TraceProgram {
  /** JAX, or another program that runs XLA by the variables of JAX. */
  JAX,
  /** TensorFlow. */
  TENSORFLOW,
  /** JAX or TensorFlow: the allocators of both write the same lines. */
  JAX_OR_TENSORFLOW,
  /** A program with settings that are not known. */
  OTHER
}
