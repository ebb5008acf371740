/** TensorFlow Lite models as planning problems. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic")
module dev.stowage.tflite {
  requires transitive dev.stowage.plan;
  requires flatbuffers.java;
  requires tensorflow.lite.metadata;
  requires static org.jspecify;

  exports dev.stowage.tflite;
}
