package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.Optional;

/** The advice on a failure of PyTorch on CUDA, ROCm or GPUs of Intel. */
final class PytorchRemedies {

  private final FailureProgram program;
  private final OutOfMemoryVerdict verdict;
  private final FailureNumbers numbers;
  private final FailureChanges changes;

  /**
   * Creates the advice.
   *
   * @param changes the list of changes, to which it adds
   */
  PytorchRemedies(
      FailureProgram program,
      OutOfMemoryVerdict verdict,
      FailureNumbers numbers,
      FailureChanges changes) {
    this.program = program;
    this.verdict = verdict;
    this.numbers = numbers;
    this.changes = changes;
  }

  private String variable() {
    return program == FailureProgram.PYTORCH_HIP
        ? "PYTORCH_HIP_ALLOC_CONF"
        : program == FailureProgram.PYTORCH_XPU ? "PYTORCH_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF";
  }

  /** Adds the advice. */
  void add() {
    switch (verdict) {
      case DOES_NOT_FIT -> addShortage();
      case FRAGMENTED -> addFragmentation();
      case REFUSED -> {
        changes.addOthers(program, "Another process may have held the memory at that moment.");
        if (program == FailureProgram.PYTORCH) {
          changes.help(
              "On Windows, enlarge the paging file, and close programs that draw.",
              "",
              "The driver commits memory of the GPU in the paging file, and limits each process.");
          changes.help(
              "On Linux, remove a limit of the address space.",
              "ulimit -v unlimited",
              "The driver maps memory of the GPU into the addresses of the process.");
        }
        changes.cannot(
            variable() + "=expandable_segments:True and torch.cuda.empty_cache()",
            "PyTorch did not fail for the memory that it caches"
                + FailureChanges.with(numbers.cached(), ", %s")
                + ".");
      }
      case LIMIT -> addHigherFraction();
      case TRANSIENT -> changes.help("Repeat the request once.", "", "Its memory is free by then.");
      case UNKNOWN -> {
        changes.addOthers(program, "It shows how much of the memory other processes hold.");
        changes.help(FailureChanges.SMALLER, "", FailureChanges.ACTIVATIONS);
      }
    }
  }

  private void addHigherFraction() {
    changes.help(
        "Raise the fraction that the program set.",
        "torch.cuda.set_per_process_memory_fraction(1.0)",
        "The limit is a setting; the device may have more.");
  }

  private void addShortage() {
    long missingBytes = numbers.missing().map(PrintedBytes::bytes).orElse(0L);
    boolean isOthers =
        numbers.others().filter(others -> others.bytes() >= missingBytes).isPresent();
    if (isOthers) {
      changes.addOthers(
          program,
          "They and the libraries of this one hold"
              + FailureChanges.with(numbers.others(), " %s")
              + ".");
    }
    changes.help(
        FailureChanges.SMALLER,
        "",
        FailureChanges.ACTIVATIONS + " Accumulated gradients keep the effective batch.");
    changes.help(
        "Compute activations again instead of keeping them.",
        "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)",
        "Only the inputs of each block stay until the backward pass.");
    changes.help(
        "Compute in 16 bits.",
        "with torch.autocast(\"cuda\", dtype=torch.bfloat16):",
        "Activations take half of the memory.");
    String missing = FailureChanges.with(numbers.missing(), ": %s are missing even then");
    changes.cannot(
        variable() + "=expandable_segments:True (the hint of PyTorch) and max_split_size_mb",
        "They only make one piece of free memory" + missing + ".");
    changes.cannot(
        "torch.cuda.empty_cache()", "PyTorch released its cache before it reported the failure.");
    if (!isOthers && numbers.others().isPresent()) {
      changes.cannot(
          "the end of other programs on the GPU",
          "They and the libraries of this one hold only"
              + FailureChanges.with(numbers.others(), " %s")
              + ".");
    }
  }

  private void addFragmentation() {
    Optional<PrintedBytes> need =
        numbers
            .get(FailurePart.ALLOCATED)
            .flatMap(allocated -> numbers.get(FailurePart.REQUESTED).map(allocated::plus));
    changes.help(
        "Let segments grow, before the program starts.",
        "export " + variable() + "=expandable_segments:True",
        "Free pages of one segment then serve requests of any size"
            + FailureChanges.with(need, "; PyTorch needs about %s")
            + FailureChanges.with(
                numbers.get(FailurePart.CAPACITY).filter(_ -> need.isPresent()), " of %s")
            + ".");
    changes.help(
        "If the platform does not support that, keep large blocks whole.",
        "export " + variable() + "=max_split_size_mb:128",
        "Small requests then do not split blocks above 128 MiB; stowage tune finds the best size.");
    if (numbers.has(FailurePart.LIMIT)) {
      addHigherFraction();
    }
    changes.cannot(
        "torch.cuda.empty_cache()",
        "PyTorch released all wholly free segments before it reported the failure; blocks in use"
            + " keep the others.");
    if (numbers.has(FailurePart.PRIVATE_POOLS)) {
      changes.help(
          "Capture fewer CUDA graphs.",
          "",
          "Each keeps a private pool, whose free blocks serve nothing else.");
    }
  }
}
