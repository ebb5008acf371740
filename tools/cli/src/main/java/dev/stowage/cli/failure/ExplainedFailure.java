package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.text.ShellLine;
import java.util.Arrays;
import java.util.List;

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
 * @param isSimulated true if the numbers follow from the rules of a simulated allocator
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
    boolean isSimulated) {

  /** The kind of the first failure of a recording. */
  public static final String RECORDING = "recording";

  /**
   * {@return the explanation of a failure in a text}
   *
   * @param count the number of failures in the text
   * @param isReplayed true if a replay reads the text, too; it shows the holes of a report
   */
  public static ExplainedFailure of(String input, Failure failure, long count, boolean isReplayed) {
    boolean isReport = isReplayed && BfcReport.isReplayed(failure.numbers());
    FailureFacts facts = new FailureFacts(failure, FailureVerdict.of(failure));
    List<String> next =
        facts
            .values("next")
            .findFirst()
            .filter(_ -> !isReport)
            .map(words -> Arrays.asList(words.split(" ", -1)))
            .orElse(List.of("replay", input));
    return new ExplainedFailure(
        input,
        failure,
        count,
        facts.verdict(),
        facts.sentence(),
        FailureChanges.of(facts),
        isReport ? List.of() : facts.values("record").map(ShellLine::asStarted).toList(),
        ShellLine.of(next),
        false);
  }

  /** {@return the lines that record a failure of a program, also if it ends the program} */
  public static List<String> recording(FailureProgram program) {
    return FailureFacts.of(program, OutOfMemoryVerdict.UNKNOWN, FailureNumbers.NONE)
        .values("record")
        .toList();
  }
}
