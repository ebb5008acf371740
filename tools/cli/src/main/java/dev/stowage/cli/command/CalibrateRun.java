package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.CalibrationRunner;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The measurement of constants of {@code stowage budget --calibrate}. */
final class CalibrateRun {

  private final CommandSpec spec;
  private final Interruption interruption;
  private final BudgetRequest request;

  CalibrateRun(CommandSpec spec, Interruption interruption, BudgetRequest request) {
    this.spec = spec;
    this.interruption = interruption;
    this.request = request;
  }

  /** Measures constants with models, writes them to a file, and {@return the exit code} */
  int run(List<String> files, String path, EachFile.Listener listener) {
    CalibrationRunner runner = new CalibrationRunner(request);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "measured",
            (_, file) -> {
              interruption.run(() -> {
                runner.measure(file);
                return true;
              });
              return ExitCode.DONE;
            },
            listener);
    if (exitCode != ExitCode.DONE || interruption.isInterrupted()) {
      return exitCode;
    }
    runner.missingWorkspaces().ifPresent(note -> Diagnostics.of(spec).report("note: " + note));
    return Diagnostics.of(spec)
        .write(path, () -> new WholeFile(path).write(runner.calibration()::write));
  }
}
