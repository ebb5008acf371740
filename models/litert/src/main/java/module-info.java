/** Runs of TensorFlow Lite models in planned memory. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // that of the command line is compiled later
module dev.stowage.litert {
  requires transitive dev.stowage.plan;
  requires transitive dev.stowage.tflite;
  requires static org.jspecify;

  exports dev.stowage.litert to
      dev.stowage.cli;
  exports dev.stowage.litert.engine to
      dev.stowage.cli;
}
