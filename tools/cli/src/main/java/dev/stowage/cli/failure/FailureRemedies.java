package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.failure.FailureChanges.Remedy;
import dev.stowage.cli.text.RuleBlock;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.text.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The remedies after a failed request: changes, and ways to record the numbers that a text lacks.
 */
public final class FailureRemedies {

  /*
   * The keys of the resource:
   *
   *   help, cannot  a change; the lines "paste" (after help only) and "why" follow it
   *   record        a line that records the failure, also if it ends the program
   *   next          the words of the command that reads the recording
   */

  private static final String OVERFLOW = "overflow";

  private FailureRemedies() {}

  /**
   * {@return the changes after a failure}
   *
   * @param numbers the known numbers; some reasons name them
   */
  public static FailureChanges of(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    FailureFacts facts = facts(program, verdict, numbers);
    boolean isOverflow = facts.holds(OVERFLOW);
    List<Remedy> remedies = new ArrayList<>();
    List<Remedy> useless = new ArrayList<>();
    RuleBlock.Line change = new RuleBlock.Line("", "", List.of());
    String paste = "";
    for (RuleBlock.Line line : FailureFacts.REMEDIES) {
      if (!line.holds(facts::holds) || line.conditions().contains(OVERFLOW) != isOverflow) {
        continue;
      }
      switch (line.key()) {
        case "help", "cannot" -> {
          change = line;
          paste = "";
        }
        case "paste" -> paste = Template.fill(line.value(), facts::value);
        case "why" -> {
          String text = Template.fill(change.value(), facts::value);
          String why = Template.fill(line.value(), facts::value);
          (change.key().equals("help") ? remedies : useless).add(new Remedy(text, paste, why));
        }
        default -> {}
      }
    }
    return new FailureChanges(remedies, useless);
  }

  private static FailureFacts facts(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    Failure failure = new Failure(program, "", Failure.Cause.REQUEST, numbers, "", 1);
    return new FailureFacts(failure, Set.of(verdict));
  }

  /** {@return the lines that record the failure, also if it ends the program} */
  public static List<String> record(FailureProgram program) {
    return values("record", program).toList();
  }

  /** {@return the command that reads the recording; empty if there is none} */
  static Optional<String> next(FailureProgram program) {
    return values("next", program)
        .findFirst()
        .map(words -> ShellLine.of(Arrays.asList(words.split(" ", -1))));
  }

  private static Stream<String> values(String key, FailureProgram program) {
    FailureFacts facts = facts(program, OutOfMemoryVerdict.UNKNOWN, FailureNumbers.NONE);
    return FailureFacts.REMEDIES.stream()
        .filter(line -> line.key().equals(key) && line.holds(facts::holds))
        .map(RuleBlock.Line::value);
  }
}
