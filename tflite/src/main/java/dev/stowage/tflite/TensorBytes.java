package dev.stowage.tflite;

/** How many bytes a tensor takes, as far as its model says. */
sealed interface TensorBytes {

  /** A size that the model says. */
  record Known(long bytes) implements TensorBytes {}

  /** A size known only when the model runs, and why. */
  record Unknown(String reason) implements TensorBytes {}
}
