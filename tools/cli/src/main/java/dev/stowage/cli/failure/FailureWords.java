package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.failure.Failure.Cause;
import dev.stowage.pages.text.Text;
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
    FailureWords sentence = new FailureWords(failure, verdicts);
    return verdicts.size() > 1
        ? sentence.sides()
        : switch (verdicts.iterator().next()) {
          case DOES_NOT_FIT -> sentence.doesNotFit();
          case FRAGMENTED -> sentence.fragmented();
          case REFUSED -> sentence.refused();
          case LIMIT -> sentence.limit();
          case TRANSIENT -> sentence.transience();
          case UNKNOWN -> sentence.unknown();
        };
  }

  private String doesNotFit() {
    if (failure.cause() == Cause.MACHINE) {
      return "The memory of the machine was full"
          + (failure.detail().isEmpty()
              ? ": the kernel had to kill a process."
              : Text.of(", and the kernel killed %s%s.", failure.detail(), victim()));
    }
    if (failure.requested().filter(PrintedBytes::isOverflow).isPresent()) {
      return Text.of(
          "The request of %s can never fit: it is the size of a negative number, or of one that"
              + " overflowed.",
          shown(FailurePart.REQUESTED));
    }
    if (numbers.has(FailurePart.POOL_MOST)) {
      return Text.of(
          "The program does not fit: it needs %s in all, and the allocator holds less than %s.",
          brief(FailurePart.PROGRAM_TOTAL), brief(FailurePart.POOL_MOST));
    }
    if (isBeyondCapacity()) {
      return Text.of(
          "The request of %s can never fit: the %s has %s, which is %s less.",
          shown(FailurePart.REQUESTED),
          failure.program().device(),
          brief(FailurePart.CAPACITY),
          number(FailurePart.REQUESTED).minus(number(FailurePart.CAPACITY)).brief());
    }
    return othersFirst()
        + Text.of(
            "The request of %s does not fit: %s%s.",
            shown(FailurePart.REQUESTED),
            free(),
            numbers
                .missing()
                .map(missing ->
                    Text.of(
                        ", so that %s are missing even if all of it were one piece",
                        missing.brief()))
                .orElse(""));
  }

  private boolean isBeyondCapacity() {
    return numbers.has(FailurePart.CAPACITY)
        && number(FailurePart.REQUESTED).lowBytes() > number(FailurePart.CAPACITY).highBytes();
  }

  /** {@return the memory of others, if that is the largest part of the device} */
  private String othersFirst() {
    Optional<PrintedBytes> others = numbers.others().filter(_ -> numbers.has(FailurePart.CAPACITY));
    boolean isLargest =
        others.isPresent()
            && others.get().bytes() > numbers.reserved().map(PrintedBytes::bytes).orElse(0L)
            && others.get().bytes() > number(FailurePart.DEVICE_FREE).bytes();
    return isLargest
        ? Text.of(
            "Other programs and libraries hold %s of the %s of the %s. ",
            others.get().brief(), brief(FailurePart.CAPACITY), failure.program().device())
        : "";
  }

  /** {@return the free bytes at the device and in the allocator} */
  private String free() {
    String device =
        numbers.has(FailurePart.DEVICE_FREE)
            ? Text.of(
                "%s are free at the %s", brief(FailurePart.DEVICE_FREE), failure.program().device())
            : numbers.mostFree().isPresent()
                ? Text.of(
                    "at most %s are free at the %s",
                    numbers.mostFree().get().brief(), failure.program().device())
                : failure.cause() == Cause.REFUSAL
                    ? Text.of(
                        "the device gave less than the limit of %s permits",
                        brief(FailurePart.LIMIT))
                    : numbers.has(FailurePart.LIMIT)
                        ? Text.of("the limit is %s", brief(FailurePart.LIMIT))
                        : "";
    String cached =
        numbers
            .cached()
            .map(bytes ->
                failure.program().isPytorch()
                    ? Text.of("%s cached by %s", bytes.brief(), failure.program().title())
                    : Text.of("%s are free in the allocator", bytes.brief()))
            .orElse("");
    return device.isEmpty() || cached.isEmpty() ? device + cached : device + " and " + cached;
  }

  private String fragmented() {
    Optional<PrintedBytes> free = numbers.cached();
    if (numbers.has(FailurePart.DEVICE_FREE)) {
      return othersFirst()
          + Text.of(
              "Memory is fragmented: the request of %s needs one piece, and the %s that are free are"
                  + " in pieces, %s at the %s and %s in the cache of %s.",
              shown(FailurePart.REQUESTED),
              free.orElseThrow().plus(number(FailurePart.DEVICE_FREE)).brief(),
              brief(FailurePart.DEVICE_FREE),
              failure.program().device(),
              free.get().brief(),
              failure.program().title());
    }
    return Text.of(
        "Memory is fragmented: the request of %s needs one piece, and %s are free in the allocator,"
            + " at most %s of it in one piece.",
        shown(FailurePart.REQUESTED),
        free.map(PrintedBytes::brief).orElse("enough bytes"),
        numbers.has(FailurePart.LARGEST_HOLE) ? brief(FailurePart.LARGEST_HOLE) : "a part");
  }

  private String refused() {
    return numbers.has(FailurePart.DEVICE_FREE)
        ? Text.of(
            "The %s refused %s although %s were free: neither a shortage nor fragmentation is the"
                + " cause, but the driver, the operating system or another process.",
            failure.program().device(),
            shown(FailurePart.REQUESTED),
            brief(FailurePart.DEVICE_FREE))
        : Text.of(
            "The %s refused %s although the limit of %s permits them: other processes or libraries"
                + " hold its memory, and this program has only %s.",
            failure.program().device(),
            shown(FailurePart.REQUESTED),
            brief(FailurePart.LIMIT),
            brief(FailurePart.RESERVED));
  }

  private String limit() {
    Optional<PrintedBytes> used = numbers.belowLimit();
    String requested = failure.requested().isPresent() ? " of " + shown(FailurePart.REQUESTED) : "";
    String missing =
        numbers.missing().filter(bytes -> bytes.bytes() > 0).map(PrintedBytes::brief).orElse("");
    if (failure.program() == FailureProgram.CONTAINER) {
      return Text.of(
          "%s reached its memory limit%s, so that the kernel killed %s%s; the machine itself was not"
              + " out of memory.",
          failure.kind().startsWith("state") ? "The container" : "A control group",
          numbers.has(FailurePart.LIMIT) ? " of " + shown(FailurePart.LIMIT) : "",
          failure.detail().isEmpty() ? "a process" : failure.detail(),
          victim());
    }
    if (numbers.has(FailurePart.AVAILABLE)) {
      return Text.of(
          "%s is too small: the request%s finds %s%s.",
          limitName(),
          requested,
          available(),
          missing.isEmpty()
              ? ""
              : "; " + numbers.missing().map(PrintedBytes::shown).orElse("") + " are missing");
    }
    return Text.of(
        "%s is reached%s: the request%s exceeds it%s.",
        limitName(),
        numbers.has(FailurePart.LIMIT) && used.isPresent()
            ? Text.of(", %s of %s", used.get().brief(), brief(FailurePart.LIMIT))
            : "",
        requested,
        missing.isEmpty() ? "" : " by " + missing);
  }

  private String available() {
    return number(FailurePart.AVAILABLE).bytes() == 0
        ? "nothing left"
        : shown(FailurePart.AVAILABLE) + " left";
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

  private String victim() {
    return numbers.has(FailurePart.VICTIM)
        ? Text.of(", which had %s", shown(FailurePart.VICTIM))
        : "";
  }

  private String transience() {
    return Text.of(
        "The memory for the request of %s became free too late: the largest hole has %s, so that the"
            + " same request passes if it is repeated.",
        shown(FailurePart.REQUESTED), brief(FailurePart.LARGEST_HOLE));
  }

  private String sides() {
    String sides = verdicts.stream().map(FailureWords::side).collect(Collectors.joining(", or "));
    String requested = shown(FailurePart.REQUESTED);
    return numbers.has(FailurePart.POOL_MOST)
        ? Text.of(
            "This text does not tell the cause: the program needs %s in all, and the pool has less than"
                + " %s. A smaller pool cannot hold it; in a larger one, other memory is in the way, or"
                + " free memory is in pieces.",
            brief(FailurePart.PROGRAM_TOTAL), brief(FailurePart.POOL_MOST))
        : Text.of(
            "The numbers of this text leave %s verdicts: the request of %s %s; %s.",
            verdicts.size() == 2 ? "two" : "several", requested, sides, free());
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
          Text.of(
              "No request failed in this log: for %s, the arena of ONNX Runtime took a region of %s%s.",
              shown(FailurePart.REQUESTED),
              shown(FailurePart.REGION),
              failure.detail().isEmpty() ? "" : ", because the strategy is " + failure.detail());
      case KILLED ->
          Text.of(
              "The kernel killed %s%s, but this text does not tell whether the machine or a control"
                  + " group was full.",
              failure.detail(), victim());
      default -> failure.requested().isEmpty() ? withoutRequest() : withoutLimit();
    };
  }

  private String withoutRequest() {
    return numbers.has(FailurePart.LARGEST_HOLE)
        ? Text.of(
            "The start of the report is missing: in this part, %s are free, at most %s of it in one"
                + " piece, so that any larger request fails.",
            brief(FailurePart.CACHED), shown(FailurePart.LARGEST_HOLE))
        : Text.of(
            "This text does not tell the cause: %s had too little memory%s, but the text has no"
                + " request with its bytes.",
            failure.program().title(),
            failure.detail().isEmpty() ? "" : " for " + failure.detail());
  }

  private String withoutLimit() {
    return numbers.has(FailurePart.PROGRAM_TOTAL)
        ? Text.of(
            "This text does not tell the cause: the program needs %s in all, which does not fit into"
                + " less, and is fragmented or refused if the allocator may hold more.",
            brief(FailurePart.PROGRAM_TOTAL))
        : Text.of(
            "This text does not tell the cause: %s requested %s, but the text has neither the free"
                + " bytes nor the limit. The request does not fit, finds only pieces, or was refused.",
            failure.program().title(), shown(FailurePart.REQUESTED));
  }

  private PrintedBytes number(FailurePart part) {
    return numbers.get(part).orElseThrow();
  }

  private String shown(FailurePart part) {
    return numbers.get(part).map(PrintedBytes::shown).orElse("an unknown size");
  }

  private String brief(FailurePart part) {
    return numbers.get(part).map(PrintedBytes::brief).orElse("an unknown size");
  }
}
