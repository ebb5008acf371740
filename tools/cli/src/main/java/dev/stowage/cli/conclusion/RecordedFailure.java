package dev.stowage.cli.conclusion;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureChanges;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.ReplayChanges;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.trace.replay.ReplayResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The failure of a recording, as its replay explains it. */
public final class RecordedFailure {

  /** The numbers that follow from the rules of an allocator, and not from the requests alone. */
  private static final Set<FailurePart> SIMULATED =
      EnumSet.of(FailurePart.LIMIT, FailurePart.CACHED, FailurePart.LARGEST_HOLE);

  private RecordedFailure() {}

  /** {@return the explanation; its sentence is the conclusion of the replay} */
  public static ExplainedFailure of(ReplayReport report) {
    Conclusion conclusion = ReplayConclusion.of(report, List.of(), List.of());
    Optional<ReplayResult.Failure> failure = report.result().firstFailure();
    OutOfMemoryVerdict verdict =
        failure.map(ReplayResult.Failure::verdict).orElse(OutOfMemoryVerdict.UNKNOWN);
    FailureProgram program = ReplayChanges.program(report);
    FailureNumbers numbers =
        failure.map(one -> ReplayChanges.numbers(one, true)).orElse(FailureNumbers.NONE);
    return new ExplainedFailure(
        report.input(),
        new Failure(program, ExplainedFailure.RECORDING, Failure.Cause.REQUEST, numbers, "", 1),
        report.result().failures(),
        verdict,
        (failure.isEmpty() ? "No request fails in this recording. " : "") + conclusion.sentence(),
        failure.map(one -> ReplayChanges.of(report, one)).orElse(FailureChanges.NONE),
        List.of(),
        conclusion.command().orElseGet(() -> ShellLine.of(List.of("replay", report.input()))),
        report.isSimulated() ? SIMULATED : Set.of());
  }
}
