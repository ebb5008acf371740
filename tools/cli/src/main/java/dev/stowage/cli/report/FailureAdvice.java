package dev.stowage.cli.report;

import dev.stowage.trace.format.TraceProgram;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Sentences on the changes that help after a failed request, by the verdict and by the program that
 * made the recording.
 */
final class FailureAdvice {

  /*
   *                 JAX                                      TensorFlow
   *   DOES_NOT_FIT  a smaller batch, a higher fraction       a smaller batch, a higher limit
   *   LIMIT         the same                                 the same
   *   FRAGMENTED    one region by preallocation              one region without growth, or CUDA's
   *                                                          own pool
   *   REFUSED       other processes, and how much each of    the same
   *                 them preallocates
   *
   * If the program is one of the two, each has its line.
   */

  private final TraceProgram program;
  private final ReplayResult.Failure failure;
  private final boolean hasRegions;

  /**
   * Creates the advice on a failure.
   *
   * @param program the program that made the recording
   * @param failure the failure
   * @param hasRegions true if the memory of the allocator is in several regions
   */
  FailureAdvice(TraceProgram program, ReplayResult.Failure failure, boolean hasRegions) {
    this.program = program;
    this.failure = failure;
    this.hasRegions = hasRegions;
  }

  /** {@return the sentences; none if nothing is known that helps} */
  List<String> lines() {
    if (failure.request().bytes() == Long.MAX_VALUE) {
      return List.of(
          "The size is that of a negative number or of an overflow, which wraps around when the"
              + " allocator rounds it. No setting helps.");
    }
    return switch (failure.verdict()) {
      case DOES_NOT_FIT, LIMIT -> shortage();
      case FRAGMENTED -> fragmentation();
      case REFUSED -> refusal();
      case TRANSIENT, UNKNOWN -> List.of();
    };
  }

  /** {@return the setting with which the memory of a program is one region} */
  static String preallocation(TraceProgram program) {
    return switch (program) {
      case TENSORFLOW -> "one region of the limit (no memory growth)";
      case JAX_OR_TENSORFLOW ->
          "one region of the limit (JAX: XLA_PYTHON_CLIENT_PREALLOCATE=true, TensorFlow: no memory"
              + " growth)";
      case JAX, OTHER -> "XLA_PYTHON_CLIENT_PREALLOCATE=true";
    };
  }

  private boolean isJax() {
    return program != TraceProgram.TENSORFLOW;
  }

  private boolean isTensorFlow() {
    return program == TraceProgram.TENSORFLOW || program == TraceProgram.JAX_OR_TENSORFLOW;
  }

  private List<String> shortage() {
    List<String> lines = new ArrayList<>();
    lines.add("The program needs less with a smaller batch.");
    addLimit(lines);
    return lines;
  }

  private void addLimit(List<String> lines) {
    if (isJax()) {
      lines.add(
          "The limit is XLA_CLIENT_MEM_FRACTION (.75 by default) of the memory of the device.");
    }
    if (isTensorFlow()) {
      lines.add(
          "The limit of TensorFlow is nearly all memory that was free at the start, or the"
              + " memory_limit of tf.config.set_logical_device_configuration.");
    }
  }

  private List<String> fragmentation() {
    List<String> lines = new ArrayList<>();
    addLimit(lines);
    if (failure.reason().contains("garbage collection")) {
      if (isJax()) {
        lines.add("TensorFlow has this garbage collection, JAX does not.");
      } else {
        lines.add("TF_ENABLE_GPU_GARBAGE_COLLECTION=true turns this garbage collection on.");
      }
    }
    if (isJax() && hasRegions) {
      lines.add(
          "With XLA_PYTHON_CLIENT_PREALLOCATE=true, JAX has one region, in which all free chunks"
              + " can merge.");
    }
    if (isTensorFlow()) {
      if (hasRegions) {
        lines.add(
            "Without tf.config.experimental.set_memory_growth, TensorFlow has one region, in which"
                + " all free chunks can merge.");
      }
      lines.add(
          "With TF_GPU_ALLOCATOR=cuda_malloc_async, TensorFlow takes memory from CUDA's own pool.");
    }
    return lines;
  }

  private List<String> refusal() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Other processes or libraries hold the memory of the device: nvidia-smi lists the"
            + " processes.");
    if (isJax()) {
      lines.add(
          "Each process of JAX preallocates .75 of the device by default: if several share it, set"
              + " XLA_PYTHON_CLIENT_PREALLOCATE=false or a smaller XLA_CLIENT_MEM_FRACTION in"
              + " each.");
    }
    if (isTensorFlow()) {
      lines.add(
          "Each process of TensorFlow takes nearly all free memory at its start: if several share"
              + " the device, call tf.config.experimental.set_memory_growth, or set a memory_limit"
              + " (tf.config.set_logical_device_configuration) in each.");
    }
    return lines;
  }
}
