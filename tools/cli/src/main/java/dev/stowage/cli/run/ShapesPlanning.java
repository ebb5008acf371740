package dev.stowage.cli.run;

import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.ShapesFigures;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.plan.ShapesRunner;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.ShapesAnswer;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.Conclusion;
import java.io.IOException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The part of {@code stowage plan} for inputs whose sizes depend on dimensions with ranges. */
public final class ShapesPlanning {

  private final CommandSpec spec;
  private final ShapesRunner runner;
  private final AnswerPrinter printer;
  private final OutputFiles<ShapesReport> files;
  private final boolean isTimeLimited;
  private final FigureGate gate;
  private final Function<ShapesReport, Conclusion> conclusions;

  /**
   * Creates the part.
   *
   * @param spec the command
   * @param runner plans the inputs
   * @param printer prints the reports
   * @param files the files to write
   * @param isTimeLimited true if the user limits the time of searches
   * @param gate checks the figures of each input
   * @param conclusions returns the conclusion of a report, which people read first
   */
  public ShapesPlanning(
      CommandSpec spec,
      ShapesRunner runner,
      AnswerPrinter printer,
      OutputFiles<ShapesReport> files,
      boolean isTimeLimited,
      FigureGate gate,
      Function<ShapesReport, Conclusion> conclusions) {
    this.spec = spec;
    this.runner = runner;
    this.printer = printer;
    this.files = files;
    this.isTimeLimited = isTimeLimited;
    this.gate = gate;
    this.conclusions = conclusions;
  }

  /** Plans an input, prints and writes its layouts, and {@return the exit code} */
  public int run(ShapesInput input, TerminalProgress progress)
      throws IOException, InputRefusedException {
    ShapesReport report;
    try (progress) {
      report = runner.run(input, progress);
    }
    if (!report.isCertified()) {
      Diagnostics.of(spec)
          .note(
              input.file().path(),
              "the layouts are not certified, because a signal ended the proofs;"
                  + " stowage check certifies the layouts of a file");
    }
    Conclusion conclusion = conclusions.apply(report);
    printer.print(ShapesAnswer.of(report, conclusion), spec.commandLine().getOut());
    int exitCode = files.write(report);
    if (printer.isTable()) {
      Diagnostics.of(spec).next(conclusion);
    }
    return ExitCode.graver(
        exitCode,
        gate.check(
            input.file().path(), options -> ShapesFigures.of(report, options, isTimeLimited)));
  }
}
