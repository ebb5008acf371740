package dev.stowage.testing.tflite;

/** The padding of images, as in TensorFlow. */
public enum Padding {
  /** The image is padded so that the output has a pixel for every started stride. */
  SAME(org.tensorflow.lite.schema.Padding.SAME),
  /** The image is not padded: the window stays inside. */
  VALID(org.tensorflow.lite.schema.Padding.VALID);

  private final byte code;

  Padding(byte code) {
    this.code = code;
  }

  /** {@return the code in the schema} */
  byte code() {
    return code;
  }
}
