package dev.stowage.cli.failure;

/** The program or the part of a system that made the failed request. */
public enum FailureProgram {
  /** PyTorch on CUDA. */
  PYTORCH("PyTorch", "GPU"),
  /** PyTorch on ROCm. */
  PYTORCH_HIP("PyTorch", "GPU"),
  /** PyTorch on GPUs of Intel. */
  PYTORCH_XPU("PyTorch", "GPU"),
  /** PyTorch on GPUs of Apple. */
  PYTORCH_MPS("PyTorch", "GPU"),
  /** JAX. */
  JAX("JAX", "device"),
  /** TensorFlow. */
  TENSORFLOW("TensorFlow", "device"),
  /** JAX or TensorFlow: the text is XLA's. */
  XLA("XLA", "device"),
  /** ONNX Runtime. */
  ONNX_RUNTIME("ONNX Runtime", "device"),
  /** TensorFlow Lite Micro. */
  TFLITE_MICRO("TensorFlow Lite Micro", "device"),
  /** The virtual machine of Java. */
  JAVA("Java", "process"),
  /** Netty. */
  NETTY("Netty", "process"),
  /** RAPIDS Memory Manager. */
  RMM("RAPIDS Memory Manager", "GPU"),
  /** The RAPIDS plugin of Apache Spark. */
  SPARK_RAPIDS("Spark RAPIDS", "GPU"),
  /** A control group, for example of a container. */
  CONTAINER("control group", "control group"),
  /** The machine. */
  MACHINE("Linux", "machine"),
  /** Another allocator, for example of a recording. */
  OTHER("the allocator", "device");

  private final String title;
  private final String device;

  FailureProgram(String title, String device) {
    this.title = title;
    this.device = device;
  }

  /** {@return the name in sentences} */
  public String title() {
    return title;
  }

  /** {@return the name for sentences of the place where memory is requested} */
  String device() {
    return device;
  }

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
