package dev.stowage.onnxbudget.memory;

import java.util.Locale;

/**
 * The options of a session of ONNX Runtime that change its memory.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class EngineSettings {

  private static final int ALL_OPTIMIZATIONS = 3;

  private final int optimizationLevel;
  private final boolean hasPattern;
  private final boolean hasArena;
  private final int threads;
  private final CpuClass cpu;
  private final EngineVersion version;

  private EngineSettings(
      int optimizationLevel,
      boolean hasPattern,
      boolean hasArena,
      int threads,
      CpuClass cpu,
      EngineVersion version) {
    this.optimizationLevel = optimizationLevel;
    this.hasPattern = hasPattern;
    this.hasArena = hasArena;
    this.threads = threads;
    this.cpu = cpu;
    this.version = version;
  }

  /**
   * {@return the defaults of ONNX Runtime (all optimizations, memory patterns and the arena), with
   * one thread, on this machine, in the version of this process}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static EngineSettings defaults() {
    return new EngineSettings(
        ALL_OPTIMIZATIONS, true, true, 1, CpuDetection.thisMachine(), EngineVersion.ofProcess());
  }

  /**
   * {@return these settings with another optimization level}
   *
   * @param level 0 for no optimizations, 1 for basic, 2 for extended ones, 3 for all
   * @throws IllegalArgumentException if {@code level < 0} or {@code level > 3}
   */
  public EngineSettings withOptimizationLevel(int level) {
    if (level < 0 || level > ALL_OPTIMIZATIONS) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "level must be from 0 to 3: level=%d", level));
    }
    return new EngineSettings(level, hasPattern, hasArena, threads, cpu, version);
  }

  /** {@return these settings without memory patterns: a run requests each tensor separately} */
  public EngineSettings withoutPattern() {
    return new EngineSettings(optimizationLevel, false, hasArena, threads, cpu, version);
  }

  /** {@return these settings without the arena: each request takes memory from the system} */
  public EngineSettings withoutArena() {
    return new EngineSettings(optimizationLevel, hasPattern, false, threads, cpu, version);
  }

  /**
   * {@return these settings with another number of threads in an operator; only workspaces depend
   * on this number}
   *
   * @param newThreads the number of threads
   * @throws IllegalArgumentException if {@code newThreads < 1}
   */
  public EngineSettings withThreads(int newThreads) {
    if (newThreads < 1) {
      throw new IllegalArgumentException("threads must be positive: threads=" + newThreads);
    }
    return new EngineSettings(optimizationLevel, hasPattern, hasArena, newThreads, cpu, version);
  }

  /**
   * {@return these settings for another processor}
   *
   * @param newCpu the class of the processor
   */
  public EngineSettings withCpu(CpuClass newCpu) {
    return new EngineSettings(optimizationLevel, hasPattern, hasArena, threads, newCpu, version);
  }

  /**
   * {@return these settings for another version of ONNX Runtime}
   *
   * @param newVersion the rules
   */
  public EngineSettings withVersion(EngineVersion newVersion) {
    return new EngineSettings(optimizationLevel, hasPattern, hasArena, threads, cpu, newVersion);
  }

  /** {@return the optimization level, from 0 to 3} */
  public int optimizationLevel() {
    return optimizationLevel;
  }

  /** {@return true if the second run with the same shapes has one block for its tensors} */
  public boolean hasPattern() {
    return hasPattern;
  }

  /** {@return true if requests are served by an arena} */
  public boolean hasArena() {
    return hasArena;
  }

  /** {@return the number of threads in an operator} */
  public int threads() {
    return threads;
  }

  /** {@return the class of the processor} */
  public CpuClass cpu() {
    return cpu;
  }

  /** {@return the version of ONNX Runtime} */
  public EngineVersion version() {
    return version;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "EngineSettings[optimizationLevel=%d, hasPattern=%b, hasArena=%b, threads=%d, cpu=%s, version=%s]",
        optimizationLevel,
        hasPattern,
        hasArena,
        threads,
        cpu,
        version);
  }
}
