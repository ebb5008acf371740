/** Plans models and allocates memory. */
module com.example.models {
  requires dev.stowage.memory;
  requires dev.stowage.onnx;
  requires dev.stowage.tflite;
}
