package dev.stowage.cli.conclusion;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureChanges;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.FailureRemedies;
import dev.stowage.cli.failure.PrintedBytes;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The failure of a recording, as its replay explains it. */
public final class RecordedFailure {

  private RecordedFailure() {}

  /** {@return the explanation, whose sentence is the conclusion of the replay} */
  public static ExplainedFailure of(ReplayReport report) {
    Conclusion conclusion = ReplayConclusion.of(report, List.of(), List.of());
    Optional<ReplayResult.Failure> failure = report.result().firstFailure();
    OutOfMemoryVerdict verdict =
        failure.map(ReplayResult.Failure::verdict).orElse(OutOfMemoryVerdict.UNKNOWN);
    FailureProgram program = program(report);
    FailureNumbers numbers = failure.map(one -> numbers(one, true)).orElse(FailureNumbers.NONE);
    return new ExplainedFailure(
        report.input(),
        new Failure(program, "recording", Failure.Cause.REQUEST, numbers, "", 1),
        report.result().failures(),
        verdict,
        (failure.isEmpty() ? "No request fails in this recording. " : "") + conclusion.sentence(),
        failure.map(one -> changes(report, one)).orElseGet(FailureChanges::none),
        List.of(),
        conclusion.command().orElseGet(() -> ShellLine.of(List.of("replay", report.input()))),
        true);
  }

  /**
   * {@return the changes that can help after a failure}
   *
   * @param report a replay with the allocator of the recording
   * @param failure a failure of the replay
   */
  public static FailureChanges changes(ReplayReport report, ReplayResult.Failure failure) {
    FailureProgram program = program(report);
    // A fraction of PyTorch is a limit that can be raised; the memory of the device is not.
    boolean hasLimit = program != FailureProgram.PYTORCH || failure.numbers().isProgramLimit();
    return FailureRemedies.of(program, failure.verdict(), numbers(failure, hasLimit));
  }

  private static FailureProgram program(ReplayReport report) {
    return switch (report.summary().format()) {
      case "pytorch" -> FailureProgram.PYTORCH;
      case "xla" ->
          switch (report.summary().program()) {
            case JAX -> FailureProgram.JAX;
            case TENSORFLOW -> FailureProgram.TENSORFLOW;
            case JAX_OR_TENSORFLOW, OTHER -> FailureProgram.XLA;
          };
      case "rmm" -> FailureProgram.RMM;
      case "netty" -> FailureProgram.NETTY;
      default -> FailureProgram.OTHER;
    };
  }

  private static FailureNumbers numbers(ReplayResult.Failure failure, boolean hasLimit) {
    OutOfMemoryNumbers known = failure.numbers();
    FailureNumbers numbers =
        FailureNumbers.NONE.with(
            FailurePart.REQUESTED, PrintedBytes.exact(failure.request().bytes()));
    numbers = with(numbers, FailurePart.ALLOCATED, known.get(Quantity.IN_USE));
    numbers = with(numbers, FailurePart.CACHED, known.get(Quantity.CACHED));
    numbers = with(numbers, FailurePart.LARGEST_HOLE, known.get(Quantity.LARGEST_HOLE));
    return hasLimit ? with(numbers, FailurePart.LIMIT, known.get(Quantity.LIMIT)) : numbers;
  }

  private static FailureNumbers with(FailureNumbers numbers, FailurePart part, OptionalLong bytes) {
    return bytes.isPresent() ? numbers.with(part, PrintedBytes.exact(bytes.getAsLong())) : numbers;
  }
}
