package dev.stowage.cli.run;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.conclusion.BankConclusion;
import dev.stowage.cli.conclusion.PlanConclusion;
import dev.stowage.cli.conclusion.PlanningOptionWords;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Conclusion;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The conclusions of {@code stowage plan}, whose commands have the options of this one.
 *
 * <p>With a baseline, there is no next command, because a build compares figures.
 */
public final class PlanConclusions {

  /** The options that do not change plans. */
  private static final Set<String> NOT_PLANNING =
      Set.of(
          "--explain",
          "--format",
          "--wide",
          "--output",
          "--unpinned",
          "--baseline",
          "--update-baseline",
          "--tolerance",
          "--debug");

  private final CommandSpec command;

  public PlanConclusions(CommandSpec command) {
    this.command = command;
  }

  /**
   * {@return the conclusion of plans; empty without a plan of tensors in one arena}
   *
   * @param capacityBytes the bytes that a plan must fit into; empty if they are not limited
   */
  public Optional<Conclusion> of(PlanReport report, OptionalLong capacityBytes) {
    return PlanConclusion.of(report, capacityBytes, options()).map(this::finished);
  }

  /** {@return the conclusion of a plan in several banks} */
  public Conclusion of(BankReport report) {
    return finished(BankConclusion.of(report, options()));
  }

  private Conclusion finished(Conclusion conclusion) {
    boolean isGate = command.commandLine().getParseResult().hasMatchedOption("--baseline");
    return isGate ? conclusion.withoutCommand() : conclusion;
  }

  /** {@return the options of this command that change plans} */
  PlanningOptionWords options() {
    return new PlanningOptionWords(
        GivenOptions.wordsWithout(command, NOT_PLANNING),
        command.commandLine().getParseResult().matchedOptionValue("--output", List.of()).stream()
            .map(Object::toString)
            .anyMatch(path -> !OutputFiles.isPage(path)));
  }
}
