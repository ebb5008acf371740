package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.conclusion.BudgetConclusion;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The facts of {@code stowage budget} for pages, and the next command. */
final class BudgetFacts {

  private final CommandSpec spec;
  private final List<Fact> options;
  private final Optional<String> note;
  private final List<Conclusion> conclusions = new ArrayList<>();

  /**
   * Creates facts.
   *
   * @param options the options in effect
   * @param note the note on all budgets, if there is one
   */
  BudgetFacts(CommandSpec spec, List<Fact> options, Optional<String> note) {
    this.spec = spec;
    this.options = options;
    this.note = note;
  }

  /** {@return the facts of the budgets of a model} */
  RunFacts of(BudgetReport report) {
    Conclusion conclusion = conclusion(report);
    conclusions.add(conclusion);
    String input = report.largest().input();
    List<Fact> facts =
        CommandFacts.of(spec, input, BudgetRequest.isMicro(input) ? "tflite" : "onnx");
    facts.addAll(options);
    return RunFacts.none()
        .withConclusion(conclusion)
        .withFacts(facts)
        .withNotes(note.stream().toList());
  }

  Conclusion conclusion(BudgetReport report) {
    return BudgetConclusion.of(report, GivenOptions.words(spec, BudgetConclusion.OPTIONS));
  }

  /** Prints the command that acts on the budgets, if there are those of one model. */
  void next() {
    if (conclusions.size() == 1) {
      Diagnostics.of(spec).next(conclusions.getFirst());
    }
  }
}
