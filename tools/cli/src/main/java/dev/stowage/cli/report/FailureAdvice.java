package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorKind;
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
   * If the program is one of the two, each has its line. The other programs have one line for each
   * verdict. Settings that a replay has tried are in the sentence on the failure.
   */

  private final AllocatorKind allocator;
  private final TraceProgram program;
  private final ReplayResult.Failure failure;
  private final boolean hasRegions;

  /**
   * Creates the advice on a failure.
   *
   * @param allocator the allocator that made the recording
   * @param program the program that made the recording, if the allocator is XLA's
   * @param failure the failure
   * @param hasRegions true if the memory of the allocator is in several regions
   */
  FailureAdvice(
      AllocatorKind allocator,
      TraceProgram program,
      ReplayResult.Failure failure,
      boolean hasRegions) {
    this.allocator = allocator;
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
    return switch (allocator) {
      case pytorch -> pytorch();
      case rmm -> rmm();
      case netty -> netty();
      case xla -> xla();
      case bfc -> List.of(); // the reason has the changes that help
    };
  }

  private List<String> pytorch() {
    return switch (failure.verdict()) {
      case DOES_NOT_FIT ->
          List.of(
              "No setting of the allocator helps: the program needs less memory at this moment, for"
                  + " example by a smaller batch.");
      case LIMIT ->
          List.of(
              "The limit is the fraction of torch.cuda.set_per_process_memory_fraction, or of the"
                  + " setting per_process_memory_fraction: raise it.");
      case REFUSED ->
          List.of(
              "Another process or library took memory of the device: nvidia-smi lists the"
                  + " processes.");
      case TRANSIENT ->
          List.of("Catch torch.OutOfMemoryError, and repeat the step: the request passes then.");
      case FRAGMENTED ->
          failure.numbers().isProgramLimit()
              ? List.of(
                  "The program set the limit: a higher fraction of"
                      + " torch.cuda.set_per_process_memory_fraction helps, too.")
              : List.of(
                  "Free the blocks that keep holes earlier (--explain names them), or change the"
                      + " settings (tune compares them).");
      case UNKNOWN -> List.of();
    };
  }

  private List<String> rmm() {
    return switch (failure.verdict()) {
      case DOES_NOT_FIT, LIMIT ->
          List.of(
              "The limit is the maximum_pool_size of rmm.reinitialize, or the free memory of the"
                  + " device.");
      case REFUSED ->
          List.of("Another process or library took memory of the device: nvidia-smi lists it.");
      case FRAGMENTED, TRANSIENT, UNKNOWN -> List.of();
    };
  }

  private List<String> netty() {
    return switch (failure.verdict()) {
      case LIMIT, FRAGMENTED, DOES_NOT_FIT ->
          List.of(
              "The limit of direct memory is -XX:MaxDirectMemorySize; without it, it is that of the"
                  + " heap.");
      case REFUSED, TRANSIENT, UNKNOWN -> List.of();
    };
  }

  private List<String> xla() {
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
