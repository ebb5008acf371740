package dev.stowage.cli.conclusion;

import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.failure.FailureFacts;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.PrintedBytes;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.EventText;
import dev.stowage.cli.report.ReplayChanges;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.UserLine;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import java.util.Optional;

/** The sentence on the first request that failed in a replay: the request, and its cause. */
final class FailureSentence {

  private final ReplayReport report;
  private final ReplayResult.Failure failure;

  private FailureSentence(ReplayReport report, ReplayResult.Failure failure) {
    this.report = report;
    this.failure = failure;
  }

  /** {@return the sentence on a report with a failure} */
  static String of(ReplayReport report) {
    return new FailureSentence(report, report.result().firstFailure().orElseThrow()).sentence();
  }

  private String sentence() {
    return Text.of(
        "%s %s: %s.",
        request(),
        when(),
        FailureFacts.of(ReplayChanges.program(report), failure.verdict(), known())
            .value("replayed")
            .orElseThrow());
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

  /** {@return the numbers of the failure} */
  private FailureNumbers known() {
    OutOfMemoryNumbers all = failure.numbers();
    long toBeHad = all.toBeHadBytes().orElse(0);
    FailureNumbers known =
        ReplayChanges.numbers(failure, true)
            .with(FailurePart.WASTE, exact(all.get(Quantity.WASTE).orElse(0)))
            .with(FailurePart.TO_BE_HAD, exact(toBeHad).filter(_ -> toBeHad > 0));
    Optional<RecordedLimit> range = report.details().limit().filter(it -> !it.isOfDevice());
    return known
        .with(FailurePart.LIMIT_LOW, range.map(limit -> PrintedBytes.exact(limit.lowBytes())))
        .with(FailurePart.LIMIT_HIGH, range.map(limit -> PrintedBytes.exact(limit.highBytes())));
  }

  private static Optional<PrintedBytes> exact(long bytes) {
    return Optional.of(PrintedBytes.exact(bytes));
  }
}
