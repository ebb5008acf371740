/** ONNX models: as planning problems, and run in planned memory. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "module", // the module of budgets is compiled later
  "requires-automatic",
  "requires-transitive-automatic"
}) // none of these holds a module-info
module dev.stowage.onnx {
  requires transitive dev.stowage.memory;
  requires transitive dev.stowage.plan;
  requires dev.stowage.onnxruntime;
  requires com.google.protobuf;
  requires org.tribuo.util.onnx;
  requires tools.jackson.core;
  requires static com.microsoft.onnxruntime;
  requires static org.jspecify;

  exports dev.stowage.onnx;
  exports dev.stowage.onnx.engine to
      dev.stowage.cli;
  exports dev.stowage.onnx.file to
      dev.stowage.cli;
  exports dev.stowage.onnx.profile to
      dev.stowage.cli;
  exports dev.stowage.onnx.service to
      dev.stowage.cli;
}
