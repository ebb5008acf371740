package dev.stowage.cli.conclusion;

import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.UserLine;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import java.util.Optional;
import java.util.OptionalLong;

/** The sentence on the first request that failed in a replay: the request, and its cause. */
final class FailureSentence {

  /** No device has as many bytes. */
  private static final long IMPOSSIBLE_BYTES = 1L << 60;

  private final ReplayReport report;
  private final ReplayResult.Failure failure;
  private final OutOfMemoryNumbers numbers;

  private FailureSentence(ReplayReport report, ReplayResult.Failure failure) {
    this.report = report;
    this.failure = failure;
    numbers = failure.numbers();
  }

  /** {@return the sentence on a report with a failure} */
  static String of(ReplayReport report) {
    return new FailureSentence(report, report.result().firstFailure().orElseThrow()).sentence();
  }

  private String sentence() {
    return Text.of("%s %s: %s.", request(), when(), cause());
  }

  private String request() {
    long bytes = failure.request().bytes();
    if (bytes == Long.MAX_VALUE) {
      return "A request of 8 EiB or more, the size of a negative number or of an overflow,";
    }
    long count = report.result().failures();
    String size = "of " + ByteUnit.sentence(bytes);
    Optional<String> line = UserLine.of(failure.request().frames());
    String caller =
        line.isPresent()
            ? " by " + line.get()
            : failure.request().tag().isEmpty() ? "" : " for " + failure.request().tag();
    return count == 1
        ? "A request " + size + caller
        : Text.of("The first of %s failed requests, %s%s,", Numbers.grouped(count), size, caller);
  }

  private String when() {
    ReplayResult.RecordedFailures recorded = report.result().recordedFailures();
    if (report.summary().isReport()) {
      return "failed";
    }
    String event = ReplayAnswer.event(report.firstFailureEvent().orElse(0));
    String place = event.startsWith("before") ? event : "at " + event;
    return failure.isRecorded() && recorded.asRecorded() > 0
        ? "failed in the recording, " + place
        : "fails " + place + (failure.isRecorded() ? ", as in the recording" : "");
  }

  private String cause() {
    return switch (failure.verdict()) {
      case DOES_NOT_FIT ->
          failure.request().bytes() >= IMPOSSIBLE_BYTES
              ? "no memory is as large"
              : missing() + ", and no other placement helps";
      case FRAGMENTED -> fragmented();
      case REFUSED -> refused();
      case LIMIT ->
          Text.of("the limit that the program set%s permits no more%s", limitText(), deviceFree());
      case TRANSIENT ->
          "its memory became free during the request, after the search; a repeated request passes";
      case UNKNOWN -> "the replay has room for it, so that the recording lacks the reason";
    };
  }

  private String limitText() {
    Optional<RecordedLimit> recorded = report.details().limit();
    if (recorded.isPresent()) {
      return Text.of(
          ", between %s and %s,",
          ByteUnit.human(recorded.get().lowBytes()), ByteUnit.human(recorded.get().highBytes()));
    }
    OptionalLong limit = numbers.get(Quantity.LIMIT);
    return limit.isPresent() ? ", " + ByteUnit.human(limit.getAsLong()) + "," : "";
  }

  private String deviceFree() {
    Optional<RecordedLimit> limit = report.details().limit();
    return limit.isPresent() && limit.get().isOfProgram()
        ? Text.of(
            ", although the device had at least %s more",
            ByteUnit.human(limit.get().deviceBytes() - limit.get().highBytes()))
        : "";
  }

  private String missing() {
    Optional<RecordedLimit> recorded = report.details().limit();
    if (recorded.isPresent() && !recorded.get().isOfDevice()) {
      return Text.of(
          "%sit needs more than the limit, which is between %s and %s",
          inUse(),
          ByteUnit.human(recorded.get().lowBytes()),
          ByteUnit.human(recorded.get().highBytes()));
    }
    long limit = numbers.get(Quantity.LIMIT).orElse(0);
    long inUse = numbers.get(Quantity.IN_USE).orElse(0);
    return Text.of(
        "%sit needs %s more than the %s that there are",
        inUse(),
        ByteUnit.human(numbers.get(Quantity.REQUESTED).orElse(0) - (limit - inUse)),
        ByteUnit.human(limit));
  }

  private String inUse() {
    long inUse = numbers.get(Quantity.IN_USE).orElse(0);
    return inUse == 0 ? "" : "with the " + ByteUnit.human(inUse) + " in use, ";
  }

  private String fragmented() {
    long cached = numbers.get(Quantity.CACHED).orElse(0);
    long toBeHad = numbers.toBeHadBytes().orElse(0);
    if (cached + toBeHad < numbers.get(Quantity.REQUESTED).orElse(0)) {
      return Text.of(
          "%s are missing, and rounding and rests of blocks take %s",
          ByteUnit.human(numbers.get(Quantity.REQUESTED).orElse(0) - cached - toBeHad),
          ByteUnit.human(numbers.get(Quantity.WASTE).orElse(0)));
    }
    if (cached == 0) {
      return Text.of(
          "nothing is cached, and the segment for it does not fit into the %s up to the limit",
          ByteUnit.human(toBeHad));
    }
    OptionalLong hole = numbers.get(Quantity.LARGEST_HOLE);
    String parts =
        toBeHad == 0
            ? ""
            : Text.of(
                " (%s cached, %s up to the limit)",
                ByteUnit.human(cached), ByteUnit.human(toBeHad));
    return Text.of(
        "%s are free%s, but %s",
        ByteUnit.human(cached + toBeHad),
        parts,
        hole.isPresent()
            ? "the largest hole has " + ByteUnit.human(hole.getAsLong())
            : "no hole serves the request");
  }

  private String refused() {
    return report.result().recordedFailures().asRecorded() > 0
        ? "no limit explains it, so that the device refused it for a reason outside of the recording"
        : "the device refused memory that the limit permits, so that another program or library"
            + " holds it";
  }
}
