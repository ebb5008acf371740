package dev.stowage.onnxbudget;

/**
 * Constants of the memory of ONNX Runtime on a machine, in bytes and shares.
 *
 * @param machine the processor architecture, the operating system and the number of processors
 * @param engineVersion the version of ONNX Runtime
 * @param engineBytes the library and its environment
 * @param firstSessionBytes the parts of the library that the first session and its runs touch
 * @param sessionBytes a session of a model without operators
 * @param operatorBytes an operator of the file in a session
 * @param threadBytes a further thread of a session
 * @param remainderBytes the allowance for unexplained memory
 * @param remainderShare the allowance as a share of the engine and the weights
 * @param runShare the allowance as a share of activations and workspaces
 * @param jvmBytes metaspace, code cache, stacks and collector of a Java process without its heap
 */
public record EngineConstants(
    String machine,
    String engineVersion,
    long engineBytes,
    long firstSessionBytes,
    long sessionBytes,
    long operatorBytes,
    long threadBytes,
    long remainderBytes,
    double remainderShare,
    double runShare,
    long jvmBytes) {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  /**
   * {@return the constants that are part of Stowage}
   *
   * <p>They were measured with ONNX Runtime 1.29.0 on Linux for x86-64 with 2 processors, a JDK 25
   * and its serial collector.
   */
  public static EngineConstants shipped() {
    return new EngineConstants(
        "amd64 Linux, 2 processors",
        "1.29.0",
        23 * MIB,
        9 * MIB,
        640 * KIB,
        3 * KIB,
        256 * KIB,
        6 * MIB,
        0.02,
        0.05,
        54 * MIB);
  }
}
