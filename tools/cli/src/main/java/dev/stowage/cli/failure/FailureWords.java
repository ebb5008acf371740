package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.failure.Failure.Cause;
import dev.stowage.cli.text.Template;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The sentence that answers: the verdict on a failure, with the numbers that lead to it. */
final class FailureWords {

  private final Failure failure;
  private final FailureNumbers numbers;
  private final Set<OutOfMemoryVerdict> verdicts;

  private FailureWords(Failure failure, Set<OutOfMemoryVerdict> verdicts) {
    this.failure = failure;
    this.verdicts = verdicts;
    numbers = failure.numbers();
  }

  /**
   * {@return the sentence}
   *
   * @param verdicts the verdicts that the numbers permit
   */
  static String of(Failure failure, Set<OutOfMemoryVerdict> verdicts) {
    FailureWords words = new FailureWords(failure, verdicts);
    return Template.fill(words.verdict() + words.largest(), words::value);
  }

  private Optional<String> value(String name) {
    return switch (name) {
      case "program" -> Optional.of(failure.program().title());
      case "device" -> Optional.of(failure.program().device());
      case "detail" -> Optional.of(failure.detail()).filter(detail -> !detail.isEmpty());
      default -> numbers.text(name);
    };
  }

  private boolean has(FailurePart part) {
    return numbers.has(part);
  }

  private String verdict() {
    return verdicts.size() > 1
        ? sides()
        : switch (verdicts.iterator().next()) {
          case DOES_NOT_FIT -> doesNotFit();
          case FRAGMENTED ->
              has(FailurePart.DEVICE_FREE)
                  ? othersFirst()
                      + "Memory is fragmented: the request of {REQUESTED} needs one piece, and the"
                      + " {free} that are free are in pieces, {device_free} at the {device} and"
                      + " {cached} in the cache of {program}."
                  : "Memory is fragmented: the request of {REQUESTED} needs one piece, and "
                      + (numbers.cached().isPresent() ? "{cached}" : "enough bytes")
                      + " are free in the allocator, at most "
                      + (has(FailurePart.LARGEST_HOLE) ? "{largest_hole}" : "a part")
                      + " of it in one piece.";
          case REFUSED ->
              has(FailurePart.DEVICE_FREE)
                  ? "The {device} refused {REQUESTED} although {device_free} were free: neither a"
                      + " shortage nor fragmentation is the cause, but the driver, the operating"
                      + " system or another process."
                  : "The {device} refused {REQUESTED} although the limit of {limit} permits them:"
                      + " other processes or libraries hold its memory, and this program has only"
                      + " {reserved}.";
          case LIMIT -> limit();
          case TRANSIENT ->
              "The memory for the request of {REQUESTED} became free too late: the largest hole has"
                  + " {largest_hole}, so that the same request passes if it is repeated.";
          case UNKNOWN -> unknown();
        };
  }

  /** {@return a sentence on the largest buffer that the text lists} */
  private String largest() {
    return has(FailurePart.LARGEST_BUFFER)
        ? " The largest buffer of the program has {largest_buffer}[: {detail}]."
        : has(FailurePart.LARGEST_CHUNK)
            ? " The largest chunk in use has {largest_chunk}[; the chunks of {chunk_size} hold"
                + " {chunks_of_size}, more than those of any other size]."
            : "";
  }

  private String doesNotFit() {
    if (failure.cause() == Cause.MACHINE) {
      return failure.detail().isEmpty()
          ? "The memory of the machine was full: the kernel had to kill a process."
          : "The memory of the machine was full, and the kernel killed {detail}[, which had"
              + " {VICTIM}].";
    }
    if (failure.requested().filter(PrintedBytes::isOverflow).isPresent()) {
      return "The request of {REQUESTED} can never fit: it is the size of a negative number, or of"
          + " one that overflowed.";
    }
    if (has(FailurePart.PROGRAM_TOTAL) && has(FailurePart.CAPACITY)) {
      return "The program does not fit: it needs {program_total} in all, and the {device} has"
          + " {capacity}[, {missing} too few].";
    }
    if (has(FailurePart.POOL_MOST)) {
      return "The program does not fit: it needs {program_total} in all, and the allocator holds"
          + " less than {pool_most}.";
    }
    return numbers.isBeyondCapacity()
        ? "The request of {REQUESTED} can never fit: the {device} has {capacity}, which is {excess}"
            + " less."
        : othersFirst()
            + "The request of {REQUESTED} does not fit: "
            + free()
            + "[, so that {missing} are missing even if all of it were one piece].";
  }

  /** {@return the memory of others, if that is the largest part of the device} */
  private String othersFirst() {
    Optional<PrintedBytes> others = numbers.others().filter(_ -> has(FailurePart.CAPACITY));
    return others.isPresent()
            && others.get().bytes() > numbers.reserved().map(PrintedBytes::bytes).orElse(0L)
            && others.get().bytes()
                > numbers.get(FailurePart.DEVICE_FREE).map(PrintedBytes::bytes).orElse(0L)
        ? "Other programs and libraries hold {others} of the {capacity} of the {device}. "
        : "";
  }

  /** {@return the free bytes at the device and in the allocator} */
  private String free() {
    String device =
        has(FailurePart.DEVICE_FREE)
            ? "{device_free} are free at the {device}"
            : numbers.mostFree().isPresent()
                ? "at most {most_free} are free at the {device}"
                : failure.cause() == Cause.REFUSAL
                    ? "the device gave less than the limit of {limit} permits"
                    : "[the limit is {limit}]";
    String cached =
        failure.program().isPytorch()
            ? "{cached} cached by {program}"
            : "{cached} are free in the allocator";
    return numbers.cached().isEmpty()
        ? device
        : device.startsWith("[") && !has(FailurePart.LIMIT) ? cached : device + " and " + cached;
  }

  private String limit() {
    if (failure.program() == FailureProgram.CONTAINER) {
      return (failure.kind().startsWith("state") ? "The container" : "A control group")
          + " reached its memory limit[ of {LIMIT}], so that the kernel killed "
          + (failure.detail().isEmpty() ? "a process" : "{detail}")
          + "[, which had {VICTIM}]; the machine itself was not out of memory.";
    }
    if (has(FailurePart.AVAILABLE)) {
      return limitName()
          + " is too small: the request[ of {REQUESTED}] finds "
          + (numbers.get(FailurePart.AVAILABLE).orElseThrow().bytes() == 0
              ? "nothing left"
              : "{AVAILABLE} left")
          + "[; {MISSING} are missing].";
    }
    return limitName()
        + " is reached[, {used} of {limit}]: the request[ of {REQUESTED}] exceeds it[ by {missing}].";
  }

  private String limitName() {
    return switch (failure.program()) {
      case PYTORCH_MPS -> "The limit that PyTorch sets for MPS (the high watermark)";
      case PYTORCH, PYTORCH_HIP, PYTORCH_XPU -> "The memory fraction of the process";
      case JAVA -> "The limit of direct memory of Java";
      case NETTY -> "The limit of direct memory";
      case ONNX_RUNTIME -> "The limit of ONNX Runtime's arena (gpu_mem_limit)";
      case TFLITE_MICRO -> "The tensor arena";
      case RMM -> "The maximum size of the RMM pool";
      default -> "A limit";
    };
  }

  private String sides() {
    return has(FailurePart.POOL_MOST)
        ? "This text does not tell the cause: the program needs {program_total} in all, and the pool"
            + " has less than {pool_most}. A smaller pool cannot hold it; in a larger one, other"
            + " memory is in the way, or free memory is in pieces."
        : "The numbers of this text leave "
            + (verdicts.size() == 2 ? "two" : "several")
            + " verdicts: the request of {REQUESTED} "
            + verdicts.stream().map(FailureWords::side).collect(Collectors.joining(", or "))
            + "; "
            + free()
            + ".";
  }

  private static String side(OutOfMemoryVerdict verdict) {
    return switch (verdict) {
      case DOES_NOT_FIT -> "does not fit";
      case FRAGMENTED -> "finds only pieces (fragmented)";
      case REFUSED -> "was refused although it is free";
      case LIMIT -> "exceeds a limit";
      case TRANSIENT -> "came too early (transient)";
      case UNKNOWN -> "failed for another reason";
    };
  }

  private String unknown() {
    return switch (failure.cause()) {
      case GROWTH ->
          "No request failed in this log: for {REQUESTED}, the arena of ONNX Runtime took a region of"
              + " {REGION}[, because the strategy is {detail}].";
      case KILLED ->
          "The kernel killed {detail}[, which had {VICTIM}], but this text does not tell whether the"
              + " machine or a control group was full.";
      default -> withoutNumbers();
    };
  }

  private String withoutNumbers() {
    if (failure.requested().isEmpty() && has(FailurePart.LARGEST_HOLE)) {
      return "The start of the report is missing: in this part, {cached} are free, at most"
          + " {LARGEST_HOLE} of it in one piece, so that any larger request fails.";
    }
    if (failure.requested().isEmpty()) {
      return "This text does not tell the cause: {program} had too little memory"
          + (has(FailurePart.LARGEST_CHUNK) || has(FailurePart.LARGEST_BUFFER)
              ? ""
              : "[ for {detail}]")
          + ", but the text has no request with its bytes.";
    }
    return has(FailurePart.PROGRAM_TOTAL)
        ? "This text does not tell the cause: the program needs {program_total} in all, which does"
            + " not fit into less, and is fragmented or refused if the allocator may hold more."
        : "This text does not tell the cause: {program} requested {REQUESTED}, but the text has"
            + " neither the free bytes nor the limit. The request does not fit, finds only pieces, or"
            + " was refused.";
  }
}
