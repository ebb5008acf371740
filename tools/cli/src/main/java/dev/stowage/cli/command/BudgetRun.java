package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.conclusion.BudgetConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.option.BudgetTaskOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.report.BudgetKubernetes;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The measurements of {@code stowage budget}. */
final class BudgetRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final BudgetTaskOptions tasks;
  private final BudgetRequest request;
  private final AnswerPrinter printer;
  private final boolean isKubernetes;
  private final List<Conclusion> conclusions = new ArrayList<>();

  BudgetRun(
      CommandSpec spec,
      Interruption interruption,
      BudgetTaskOptions tasks,
      BudgetRequest request,
      AnswerPrinter printer,
      boolean isKubernetes) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.tasks = tasks;
    this.request = request;
    this.isKubernetes = isKubernetes;
    this.printer = printer;
  }

  /**
   * Measures the memory of each model and {@return the gravest exit code}
   *
   * @param options the options in effect, for the page
   */
  int run(List<String> files, FigureGate gate, List<Fact> options) {
    Optional<PageOutput> page = PageOutput.of(tasks.output(), files, spec);
    FileProgress progress = new FileProgress("measuring", files.size());
    return EachFile.run(
        spec,
        files,
        "measured",
        (index, file) -> {
          BudgetReport report = measure(file, progress.of(index, -1));
          Conclusion conclusion =
              BudgetConclusion.of(report, GivenOptions.words(spec, BudgetConclusion.OPTIONS));
          print(report, conclusion);
          int exitCode = ExitCode.graver(write(report), limited(file, report));
          if (page.isPresent()) {
            RunFacts facts = facts(report, conclusion, options);
            exitCode = ExitCode.graver(exitCode, page.get().write(FigurePages.of(report, facts)));
          }
          return ExitCode.graver(
              exitCode, gate.check(file, recorded -> BudgetFigures.of(report, recorded)));
        });
  }

  private BudgetReport measure(String file, TerminalProgress progress) throws IOException {
    try (progress) {
      return interruption.run(() ->
          BudgetRunner.run(
              request, file, step -> progress.phase(step + "; " + request.duration())));
    }
  }

  private void print(BudgetReport report, Conclusion conclusion) throws IOException {
    List<Answer> answers =
        isKubernetes
            ? List.of(BudgetKubernetes.of(report, !conclusions.isEmpty()))
            : BudgetAnswer.of(report, conclusion);
    for (Answer answer : answers) {
      printer.print(answer, spec.commandLine().getOut());
    }
    conclusions.add(conclusion);
  }

  private RunFacts facts(BudgetReport report, Conclusion conclusion, List<Fact> options) {
    List<Fact> facts = CommandFacts.of(spec, report.input(), "onnx");
    facts.addAll(options);
    return RunFacts.none().withConclusion(conclusion).withFacts(facts);
  }

  /** Prints the command that acts on the budget, if there is that of one model. */
  void next() {
    if (conclusions.size() == 1) {
      diagnostics.next(conclusions.getFirst());
    }
  }

  /** Writes the samples, if requested, and {@return the exit code} */
  private int write(BudgetReport report) {
    if (tasks.profile().isEmpty() || report.more().samples().isEmpty()) {
      return ExitCode.DONE;
    }
    WholeFile file = new WholeFile(tasks.profile().get());
    return diagnostics.write(
        file.path(), () -> file.write(out -> out.write(report.more().samples().get().toText())));
  }

  /** Reports if no shape is within the limit, and {@return the exit code} */
  private int limited(String file, BudgetReport report) {
    if (report.fits()) {
      return ExitCode.DONE;
    }
    diagnostics.report(
        "%s: no shape fits into the limit of %s; the smallest needs %s",
        file,
        ByteUnit.sentence(request.service().limitBytes().orElseThrow()),
        ByteUnit.human(report.curve().getFirst().limitBytes()));
    return ExitCode.NO_PLAN;
  }
}
