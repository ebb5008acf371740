package dev.stowage.cli.conclusion;

import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.EventText;
import dev.stowage.cli.text.Template;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.UserLine;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import java.util.Locale;
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
    return Text.of("%s %s: %s.", request(), when(), Template.fill(cause(), this::value));
  }

  private String request() {
    long bytes = failure.request().bytes();
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
    String event = EventText.text(report.firstFailureEvent().orElse(0));
    String place = event.startsWith("before") ? event : "at " + event;
    return failure.isRecorded() && recorded.asRecorded() > 0
        ? "failed in the recording, " + place
        : "fails " + place + (failure.isRecorded() ? ", as in the recording" : "");
  }

  private String cause() {
    boolean isKnown =
        report.details().limit().map(RecordedLimit::isOfDevice).orElse(true); // to the byte
    return switch (failure.verdict()) {
      case DOES_NOT_FIT ->
          failure.request().bytes() >= IMPOSSIBLE_BYTES
              ? "no memory is as large"
              : "[with the {in_use} in use, ]it needs "
                  + (isKnown
                      ? "{beyond} more than the {limit} that there are"
                      : "more than the limit, which is between {low} and {high}")
                  + ", and no other placement helps";
      case FRAGMENTED -> fragmented();
      case REFUSED ->
          report.result().recordedFailures().asRecorded() > 0
              ? "no limit explains it, so that the device refused it for a reason outside of the"
                  + " recording"
              : "the device refused memory that the limit permits, so that another program or"
                  + " library holds it";
      case LIMIT ->
          "the limit that the program set"
              + (value("low").isPresent() ? ", between {low} and {high}," : "[, {limit},]")
              + " permits no more[, although the device had at least {more} more]";
      case TRANSIENT ->
          "its memory became free during the request, after the search; a repeated request passes";
      case UNKNOWN -> "the replay has room for it, so that the recording lacks the reason";
    };
  }

  private String fragmented() {
    if (number(Quantity.CACHED) + toBeHad() < number(Quantity.REQUESTED)) {
      return "{lacking} are missing, and rounding and rests of blocks take {waste}";
    }
    if (number(Quantity.CACHED) == 0) {
      return "nothing is cached, and the segment for it does not fit into the {to_be_had} up to the"
          + " limit";
    }
    return "{free} are free"
        + (toBeHad() == 0 ? "" : " ({cached} cached, {to_be_had} up to the limit)")
        + ", but "
        + (numbers.get(Quantity.LARGEST_HOLE).isPresent()
            ? "the largest hole has {largest_hole}"
            : "no hole serves the request");
  }

  private long number(Quantity quantity) {
    return numbers.get(quantity).orElse(0);
  }

  private long toBeHad() {
    return numbers.toBeHadBytes().orElse(0);
  }

  /** {@return a number in words; empty if it is not known, or if nothing is in use} */
  private Optional<String> value(String name) {
    Optional<RecordedLimit> limit = report.details().limit();
    long free = number(Quantity.CACHED) + toBeHad();
    Optional<Long> bytes =
        switch (name) {
          case "low" -> limit.map(RecordedLimit::lowBytes);
          case "high" -> limit.map(RecordedLimit::highBytes);
          case "more" ->
              limit.filter(RecordedLimit::isOfProgram).map(it -> it.deviceBytes() - it.highBytes());
          case "beyond" ->
              Optional.of(
                  number(Quantity.REQUESTED) + number(Quantity.IN_USE) - number(Quantity.LIMIT));
          case "in_use" -> Optional.of(number(Quantity.IN_USE)).filter(inUse -> inUse > 0);
          case "free" -> Optional.of(free);
          case "lacking" -> Optional.of(number(Quantity.REQUESTED) - free);
          case "to_be_had" -> Optional.of(toBeHad());
          default -> {
            OptionalLong known = numbers.get(Quantity.valueOf(name.toUpperCase(Locale.ROOT)));
            yield known.isPresent() ? Optional.of(known.getAsLong()) : Optional.empty();
          }
        };
    return bytes.map(ByteUnit::human);
  }
}
