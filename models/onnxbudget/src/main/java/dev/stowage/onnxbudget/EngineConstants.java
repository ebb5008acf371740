package dev.stowage.onnxbudget;

import dev.stowage.onnxbudget.memory.EngineVersion;

/**
 * Constants of the memory of ONNX Runtime on a machine, in bytes and shares.
 *
 * @param origin the machine and the version on which they were measured
 * @param process the memory that a process has once
 * @param session the memory of each session
 * @param allowance the memory that other parts do not explain
 */
public record EngineConstants(
    Origin origin, ProcessConstants process, SessionConstants session, Allowance allowance) {

  private static final String MACHINE = "amd64 Linux, 2 processors";
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  /**
   * The origin of constants.
   *
   * @param machine the processor architecture, the operating system and the number of processors
   * @param engineVersion the version of ONNX Runtime
   */
  public record Origin(String machine, String engineVersion) {}

  /**
   * Constants of a process.
   *
   * @param engineBytes the library and its environment
   * @param firstSessionBytes the parts of the library that the first session and its runs touch
   * @param jvmBytes metaspace, code cache, stacks and collector of a Java process without its heap
   */
  public record ProcessConstants(long engineBytes, long firstSessionBytes, long jvmBytes) {}

  /**
   * Constants of a session.
   *
   * @param modelBytes a session of a model without operators
   * @param operatorBytes an operator of the file
   * @param threadBytes a further thread
   */
  public record SessionConstants(long modelBytes, long operatorBytes, long threadBytes) {}

  /**
   * The allowance for unexplained memory.
   *
   * @param bytes the bytes of a process
   * @param processShare the further bytes as a share of the engine and the weights
   * @param runShare the bytes of a session as a share of activations and workspaces
   */
  public record Allowance(long bytes, double processShare, double runShare) {}

  /**
   * {@return the constants that are part of Stowage, for the newest version of ONNX Runtime}
   *
   * <p>They were measured on Linux for x86-64 with 2 processors, a JDK 25 and its serial collector.
   */
  public static EngineConstants shipped() {
    return shipped(EngineVersion.V1_29);
  }

  /**
   * {@return the constants that are part of Stowage, for a version of ONNX Runtime}
   *
   * @param version the version
   */
  public static EngineConstants shipped(EngineVersion version) {
    long engineBytes =
        switch (version) {
          case V1_20 -> 19 * MIB;
          case V1_23 -> 22 * MIB;
          case V1_26, V1_28, V1_29 -> 23 * MIB;
        };
    return new EngineConstants(
        new Origin(MACHINE, version.compared()),
        new ProcessConstants(engineBytes, 9 * MIB, 54 * MIB),
        new SessionConstants(640 * KIB, 3 * KIB, 256 * KIB),
        new Allowance(6 * MIB, 0.02, 0.05));
  }
}
