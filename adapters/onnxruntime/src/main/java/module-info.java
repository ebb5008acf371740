/** Memory of ONNX Runtime sessions from a BFC allocator. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "module", // the module of ONNX models is compiled later
  "requires-automatic" // ONNX Runtime has no module descriptor
})
module dev.stowage.onnxruntime {
  requires transitive dev.stowage.allocator;
  requires transitive dev.stowage.memory;
  requires static com.microsoft.onnxruntime;
  requires static org.jspecify;

  exports dev.stowage.onnxruntime;
  exports dev.stowage.onnxruntime.capi to
      dev.stowage.onnx;
}
