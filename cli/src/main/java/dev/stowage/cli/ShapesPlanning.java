package dev.stowage.cli;

import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.output.ShapesFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.plan.ShapesRunner;
import dev.stowage.cli.report.ReportFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The part of {@code stowage plan} for inputs whose sizes depend on dimensions with ranges. */
final class ShapesPlanning {

  private final CommandSpec spec;
  private final ShapesRunner runner;
  private final ReportFormat<ShapesReport> format;
  private final List<ShapesFile> files;

  ShapesPlanning(
      CommandSpec spec,
      ShapesRunner runner,
      ReportFormat<ShapesReport> format,
      List<ShapesFile> files) {
    this.spec = spec;
    this.runner = runner;
    this.format = format;
    this.files = files;
  }

  /** Plans an input, prints and writes its layouts, and {@return the exit code} */
  int run(ShapesInput input, TerminalProgress progress) throws IOException, InputRefusedException {
    ShapesReport report;
    try (progress) {
      report = runner.run(input);
    }
    PrintWriter out = spec.commandLine().getOut();
    format.print(report, out);
    out.flush();
    Diagnostics diagnostics = Diagnostics.of(spec);
    int exitCode = ExitCode.DONE;
    for (ShapesFile file : files) {
      try {
        file.write(report);
        diagnostics.report("wrote " + file.path());
      } catch (IOException e) {
        exitCode = diagnostics.reportUnwritten(file.path(), e);
      }
    }
    return exitCode;
  }
}
