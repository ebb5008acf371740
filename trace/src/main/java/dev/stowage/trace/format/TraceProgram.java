package dev.stowage.trace.format;

/** The program that made a recording, whose settings change its memory. */
public enum TraceProgram {
  /** JAX, or another program that runs XLA by the variables of JAX. */
  JAX,
  /** TensorFlow. */
  TENSORFLOW,
  /** One of the two, whose allocators write the same lines. */
  JAX_OR_TENSORFLOW,
  /** A program whose settings are not known. */
  OTHER
}
