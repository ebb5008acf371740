/** TensorFlow Lite models as planning problems. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "module", // the modules of its other readers are compiled later
  "requires-automatic"
})
module dev.stowage.tflite {
  requires transitive dev.stowage.plan;
  requires flatbuffers.java;
  requires tensorflow.lite.metadata;
  requires static org.jspecify;

  exports dev.stowage.tflite;
  exports dev.stowage.tflite.micro to
      dev.stowage.cli;
  exports dev.stowage.tflite.offline to
      dev.stowage.cli;
}
