package dev.stowage.cli.failure;

/** The program or the part of a system that made the failed request. */
public enum FailureProgram {
  /** PyTorch on CUDA. */
  PYTORCH,
  /** PyTorch on ROCm. */
  PYTORCH_HIP,
  /** PyTorch on GPUs of Intel. */
  PYTORCH_XPU,
  /** PyTorch on GPUs of Apple. */
  PYTORCH_MPS,
  /** JAX. */
  JAX,
  /** TensorFlow. */
  TENSORFLOW,
  /** JAX or TensorFlow: the text is XLA's. */
  XLA,
  /** ONNX Runtime. */
  ONNX_RUNTIME,
  /** TensorFlow Lite Micro. */
  TFLITE_MICRO,
  /** Direct memory of Java. */
  JAVA,
  JAVA_HEAP,
  JAVA_CLASSES,
  JAVA_THREADS,
  JAVA_ARRAY,
  /** Apache Arrow in Java. */
  ARROW,
  /** Netty. */
  NETTY,
  /** llama.cpp and other programs with ggml. */
  LLAMA_CPP,
  /** RAPIDS Memory Manager. */
  RMM,
  /** The RAPIDS plugin of Apache Spark. */
  SPARK_RAPIDS,
  /** A control group, for example of a container. */
  CONTAINER,
  /** The machine. */
  MACHINE,
  /** A process that requests memory of the machine. */
  PROCESS,
  /** Another allocator, for example of a recording. */
  OTHER;

  /** {@return true for each kind of PyTorch} */
  boolean isPytorch() {
    return switch (this) {
      case PYTORCH, PYTORCH_HIP, PYTORCH_XPU, PYTORCH_MPS -> true;
      default -> false;
    };
  }

  /** {@return true if the kernel ended a process} */
  boolean isKernel() {
    return this == CONTAINER || this == MACHINE;
  }

  /** {@return true if the BFC allocator of XLA or TensorFlow manages the memory of the program} */
  boolean isXla() {
    return this == JAX || this == TENSORFLOW || this == XLA;
  }
}
