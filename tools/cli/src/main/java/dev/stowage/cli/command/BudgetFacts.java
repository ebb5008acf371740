package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.conclusion.BudgetConclusion;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The facts of {@code stowage budget} for pages, and the next command. */
final class BudgetFacts {

  private final CommandSpec spec;
  private final List<Fact> options;
  private final List<Conclusion> conclusions = new ArrayList<>();

  /**
   * Creates facts.
   *
   * @param options the options in effect
   */
  BudgetFacts(CommandSpec spec, List<Fact> options) {
    this.spec = spec;
    this.options = options;
  }

  /** {@return the facts of the measurements of a model} */
  RunFacts of(BudgetReport report, Conclusion conclusion) {
    List<Fact> facts = CommandFacts.of(spec, report.input(), "onnx");
    facts.addAll(options);
    return RunFacts.none().withConclusion(conclusion).withFacts(facts);
  }

  /** {@return the conclusion, whose command is printed at the end if it is the only one} */
  Conclusion conclusion(BudgetReport report) {
    Conclusion conclusion =
        BudgetConclusion.of(report, GivenOptions.words(spec, BudgetConclusion.OPTIONS));
    conclusions.add(conclusion);
    return conclusion;
  }

  /** Prints the command that acts on the budget, if there is that of one model. */
  void next() {
    if (conclusions.size() == 1) {
      Diagnostics.of(spec).next(conclusions.getFirst());
    }
  }
}
