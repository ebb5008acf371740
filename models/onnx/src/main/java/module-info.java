/** ONNX models: as planning problems, and run in planned memory. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // none of these holds a module-info
module dev.stowage.onnx {
  requires transitive dev.stowage.core;
  requires transitive dev.stowage.memory;
  requires dev.stowage.onnxruntime;
  requires jdk.management;
  requires com.google.protobuf;
  requires org.tribuo.util.onnx;
  requires tools.jackson.core;
  requires static com.microsoft.onnxruntime;
  requires static org.jspecify;

  exports dev.stowage.onnx;
  exports dev.stowage.onnx.budget;
  exports dev.stowage.onnx.memory;
}
