package dev.stowage.tflite;

/** The bytes of a tensor, if the model contains its size. */
sealed interface TensorBytes {

  /** A known size. */
  record Known(long bytes) implements TensorBytes {}

  /** A size that is known only at run time, with the reason. */
  record Unknown(String reason) implements TensorBytes {}
}
