/** Runs a session of ONNX Runtime on a Stowage allocator. */
module com.example.sessions {
  requires com.microsoft.onnxruntime;
  requires dev.stowage.onnxruntime;
}
