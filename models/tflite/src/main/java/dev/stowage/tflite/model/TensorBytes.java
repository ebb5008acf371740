package dev.stowage.tflite.model;

/** The bytes of a tensor, if the model contains its size. */
public sealed interface TensorBytes {

  /** A known size. */
  record Known(long bytes) implements TensorBytes {}

  /** A size that is known only at run time, with the reason. */
  record Unknown(String reason) implements TensorBytes {}
}
