package dev.stowage.cli.run;

import dev.stowage.cli.gate.GatedResult;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.plan.ShapesRunner;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.ShapesAnswer;
import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.util.SortedMap;
import picocli.CommandLine.Model.CommandSpec;

/** The part of {@code stowage plan} for inputs whose sizes depend on dimensions with ranges. */
public final class ShapesPlanning {

  private final CommandSpec spec;
  private final ShapesRunner runner;
  private final AnswerPrinter printer;
  private final OutputFiles<ShapesReport> files;
  private final Figures figures;
  private final FigureGate gate;

  /** The figures of a report. */
  public interface Figures {

    /** {@return the figures for a baseline, with the options that change them} */
    GatedResult of(ShapesReport report, SortedMap<String, String> options);
  }

  public ShapesPlanning(
      CommandSpec spec,
      ShapesRunner runner,
      AnswerPrinter printer,
      OutputFiles<ShapesReport> files,
      Figures figures,
      FigureGate gate) {
    this.spec = spec;
    this.runner = runner;
    this.printer = printer;
    this.files = files;
    this.figures = figures;
    this.gate = gate;
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
    printer.print(ShapesAnswer.of(report), spec.commandLine().getOut());
    return ExitCode.graver(
        files.write(report),
        gate.check(input.file().path(), options -> figures.of(report, options)));
  }
}
