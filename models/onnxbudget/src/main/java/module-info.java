/** The memory of a service that runs an ONNX model, by the rules of ONNX Runtime. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "module", // that of the command line is compiled later
  "requires-automatic" // none of these holds a module-info
})
module dev.stowage.onnxbudget {
  requires transitive dev.stowage.budget;
  requires transitive dev.stowage.onnx;
  requires dev.stowage.allocator;
  requires dev.stowage.onnxruntime;
  requires dev.stowage.trace;
  requires jdk.management;
  requires com.google.protobuf;
  requires org.tribuo.util.onnx;
  requires static org.jspecify;

  exports dev.stowage.onnxbudget to
      dev.stowage.cli;
  exports dev.stowage.onnxbudget.memory to
      dev.stowage.cli;
}
