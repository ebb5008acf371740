package dev.stowage.cli.run;

import dev.stowage.cli.banks.BankFigures;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.banks.BankSelection;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BankAnswer;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedStrategy;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The work of {@code stowage plan} with {@code --bank}. */
public final class BankPlanning {

  private final CommandSpec spec;
  private final Interruption interruption;
  private final BankSelection selection;
  private final AnswerPrinter printer;
  private final OutputFiles<BankReport> outputs;
  private final FigureGate gate;
  private final Function<BankReport, Optional<Conclusion>> conclusions;

  /**
   * Creates the work.
   *
   * @param conclusions returns the conclusion of a report, which people read first
   */
  public BankPlanning(
      CommandSpec spec,
      Interruption interruption,
      BankSelection selection,
      AnswerPrinter printer,
      OutputFiles<BankReport> outputs,
      FigureGate gate,
      Function<BankReport, Optional<Conclusion>> conclusions) {
    this.spec = spec;
    this.interruption = interruption;
    this.selection = selection;
    this.printer = printer;
    this.outputs = outputs;
    this.gate = gate;
    this.conclusions = conclusions;
  }

  /**
   * Checks banks.
   *
   * @throws ParameterException if they contradict each other
   */
  public static void check(List<MemoryBank> banks, CommandSpec spec) {
    try {
      var _ = BankedProblem.of(PlanProblem.of(List.of()), banks);
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, "--bank: " + e.getMessage());
    }
  }

  /**
   * {@return the strategies that an option names}
   *
   * @throws ParameterException if one of them does not plan banks
   */
  public static Set<BankedStrategy> strategies(List<String> names, CommandSpec spec) {
    Set<BankedStrategy> strategies = EnumSet.noneOf(BankedStrategy.class);
    for (String name : names) {
      if (name.equalsIgnoreCase("all")) {
        strategies.addAll(EnumSet.allOf(BankedStrategy.class));
      } else {
        strategies.add(strategy(name, spec));
      }
    }
    return strategies;
  }

  private static BankedStrategy strategy(String name, CommandSpec spec) {
    for (BankedStrategy strategy : BankedStrategy.values()) {
      if (strategy.name().equalsIgnoreCase(name)) {
        return strategy;
      }
    }
    throw Usage.error(
        spec, "--strategy is '%s', expected BANKED_GREEDY, OPTIMAL or all with --bank", name);
  }

  /** Plans the files and {@return the gravest exit code} */
  public int run(List<String> files, InputReader reader, EachFile.Listener listener) {
    BankRunner runner = new BankRunner(selection, interruption);
    return EachFile.run(spec, files, "planned", (_, file) -> plan(file, reader, runner), listener);
  }

  private int plan(String file, InputReader reader, BankRunner runner) throws Exception {
    PlanInput input = interruption.run(() -> reader.read(file));
    Diagnostics diagnostics = Diagnostics.of(spec);
    input.file().notes().forEach(note -> diagnostics.note(file, note));
    if (input.file().capacity().isPresent()) {
      diagnostics.note(
          file, "the capacity of the file is that of one arena and has no effect with --bank");
    }
    BankReport report = runner.run(input);
    report.interruption().ifPresent(note -> diagnostics.note(file, note));
    Optional<Conclusion> conclusion = conclusions.apply(report);
    printer.print(BankAnswer.of(report, conclusion), spec.commandLine().getOut());
    if (report.reasons().verdict().isPresent()) {
      diagnostics.report(file + ": " + report.reasons().verdict().get());
      return ExitCode.NO_PLAN;
    }
    if (selection.strategies().contains(BankedStrategy.BANKED_GREEDY)) {
      report
          .reasons()
          .shortage()
          .ifPresent(reason -> diagnostics.note(file, "BANKED_GREEDY has no plan: " + reason));
    }
    int exitCode = outputs.write(report);
    if (printer.isTable()) {
      conclusion.ifPresent(diagnostics::next);
    }
    return ExitCode.graver(exitCode, gate.check(file, options -> BankFigures.of(report, options)));
  }
}
