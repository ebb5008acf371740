package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.text.ShellLine;
import java.util.List;
import java.util.Set;

/**
 * A failure with its verdict and its remedies.
 *
 * @param input the text or recording as on the command line
 * @param failure the failure
 * @param count the number of failures in the text
 * @param verdict the verdict; unknown if the numbers leave several
 * @param sentence the sentence that answers
 * @param changes the changes
 * @param record the lines that record more
 * @param next the command to run next
 * @param simulated the numbers that the recording does not have, but a simulated allocator
 */
public record ExplainedFailure(
    String input,
    Failure failure,
    long count,
    OutOfMemoryVerdict verdict,
    String sentence,
    FailureChanges changes,
    List<String> record,
    String next,
    Set<FailurePart> simulated) {

  /** The kind of the first failure of a recording. */
  public static final String RECORDING = "recording";

  /**
   * {@return the explanation of a failure in a text}
   *
   * @param count the number of failures in the text
   * @param isReport true if a replay reads the text, too
   */
  public static ExplainedFailure of(String input, Failure failure, long count, boolean isReport) {
    FailureFacts facts = new FailureFacts(failure, FailureVerdict.of(failure));
    String replay = ShellLine.of(List.of("replay", input));
    return new ExplainedFailure(
        input,
        failure,
        count,
        facts.verdict(),
        facts.sentence(),
        FailureRemedies.of(failure.program(), facts.verdict(), failure.numbers()),
        isReport ? List.of() : FailureRemedies.record(failure.program()),
        isReport ? replay : FailureRemedies.next(failure.program()).orElse(replay),
        Set.of());
  }
}
