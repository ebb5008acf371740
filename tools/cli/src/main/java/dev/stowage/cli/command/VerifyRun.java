package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputFormat;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.VerifyAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.verify.RangesVerifyRunner;
import dev.stowage.cli.verify.VerifyRequest;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.shapes.DimensionRanges;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Model.CommandSpec;

/** The verifications of {@code stowage verify}. */
final class VerifyRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final VerifyRequest request;

  VerifyRun(
      CommandSpec spec, Interruption interruption, AnswerPrinter printer, VerifyRequest request) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.printer = printer;
    this.request = request;
  }

  /** Verifies the models and {@return the gravest exit code} */
  int run(List<String> files) {
    FileProgress progress = new FileProgress("Verifying", files.size());
    return EachFile.run(
        spec, files, "verified", (index, file) -> verify(file, progress.of(index, 1)));
  }

  private int verify(String file, TerminalProgress progress) throws Exception {
    List<VerifyResult> results;
    try {
      results = results(file, progress);
    } catch (CancellationException e) {
      diagnostics.report(file + ": not verified: " + e.getMessage() + overTime());
      return ExitCode.FAILED;
    }
    int exitCode = ExitCode.DONE;
    for (VerifyResult result : results) {
      printer.print(VerifyAnswer.of(result), spec.commandLine().getOut());
      if (!result.run().isIdentical()) {
        diagnostics.report("%s: the outputs in planned memory differ from ONNX Runtime's", file);
        exitCode = ExitCode.FAILED;
      }
    }
    return exitCode;
  }

  private String overTime() {
    return request
        .timeLimit()
        .map(limit -> BigDecimal.valueOf(limit.toNanos(), 9).stripTrailingZeros().toPlainString())
        .map(seconds -> Text.of("; the time limit is %s s (--time-limit)", seconds))
        .orElse("");
  }

  private List<VerifyResult> results(String file, TerminalProgress progress) throws Exception {
    if (InputFormat.of(file).equals(Optional.of(InputFormat.TFLITE))) {
      throw new InputRefusedException(
          "verify runs .onnx models in ONNX Runtime; stowage check tests the plan in a .tflite model");
    }
    long begunNanos = System.nanoTime();
    long limitNanos = request.timeLimit().map(Duration::toNanos).orElse(Long.MAX_VALUE);
    BooleanSupplier stop = () -> System.nanoTime() - begunNanos >= limitNanos;
    // An abandoned verification may still add notes.
    List<String> notes = new CopyOnWriteArrayList<>();
    Optional<DimensionRanges> ranges = request.inputs().ranges();
    try (progress) {
      if (ranges.isPresent()) {
        RangesVerifyRunner runner =
            new RangesVerifyRunner(request, ranges.get(), progress, stop, notes::add);
        return interruption.run(() -> runner.run(file));
      }
      VerifyRunner runner = new VerifyRunner(request, interruption, progress, stop, notes::add);
      return List.of(interruption.run(() -> runner.run(file)));
    } finally {
      // After the progress bar, so that notes do not share its line.
      notes.forEach(note -> diagnostics.note(file, note));
    }
  }
}
