package dev.stowage.tflite;

/** What a window does at the edges of an image; TensorFlow's two ways. */
public enum Padding {
  /** The image is padded so that the output has a pixel for every stride begun. */
  SAME(org.tensorflow.lite.schema.Padding.SAME),
  /** Nothing is padded: the window stays inside the image. */
  VALID(org.tensorflow.lite.schema.Padding.VALID);

  private final byte code;

  Padding(byte code) {
    this.code = code;
  }

  /** {@return its number in the schema} */
  byte code() {
    return code;
  }
}
