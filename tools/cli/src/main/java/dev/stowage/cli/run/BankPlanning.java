package dev.stowage.cli.run;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BankAnswer;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.plan.banks.search.BankShortageException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The work of {@code stowage plan} with {@code --bank}.
 *
 * @param conclusions returns the conclusion of a report, which people read first
 */
public record BankPlanning(
    CommandSpec spec,
    BankRunner runner,
    AnswerPrinter printer,
    OutputFiles<BankReport> outputs,
    FigureGate gate,
    Function<BankReport, Conclusion> conclusions) {

  /** Plans the files and {@return the gravest exit code} */
  public int run(List<String> files, InputReader reader) {
    return EachFile.run(spec, files, "planned", (_, file) -> plan(file, reader));
  }

  private int plan(String file, InputReader reader) throws Exception {
    if (!(runner.interruption().run(() -> reader.read(file)) instanceof PlanInput.Tensors input)) {
      throw new InputRefusedException(
          "--bank needs one size in bytes of each tensor; set dimensions with --dim, and omit textures");
    }
    Diagnostics diagnostics = Diagnostics.of(spec);
    input.file().notes().forEach(note -> diagnostics.note(file, note));
    if (input.file().capacity().isPresent()) {
      diagnostics.note(
          file, "the capacity of the file is that of one arena and has no effect with --bank");
    }
    try {
      return print(file, runner.run(input), diagnostics);
    } catch (BankShortageException e) {
      printer.print(BankAnswer.withoutPlan(input, e), spec.commandLine().getOut());
      diagnostics.report(file + ": no plan in banks: " + e.getMessage());
      return ExitCode.NO_PLAN;
    }
  }

  private int print(String file, BankReport report, Diagnostics diagnostics) throws IOException {
    if (report.isInterrupted()) {
      diagnostics.note(file, "interrupted: these are the best plans so far; not finished: OPTIMAL");
    }
    Conclusion conclusion = conclusions.apply(report);
    printer.print(BankAnswer.of(report, conclusion), spec.commandLine().getOut());
    int exitCode = outputs.write(report);
    if (printer.isTable()) {
      diagnostics.next(conclusion);
    }
    return ExitCode.graver(exitCode, gate.check(file, report::gated));
  }
}
