package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.option.RuntimeOption;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.RewriteAnswer;
import dev.stowage.cli.rewrite.OnnxRewrite;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import dev.stowage.cli.rewrite.RewriteOptions;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.cli.rewrite.TfliteRewrite;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** The copy of {@code stowage rewrite}. */
final class RewriteRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final String input;
  private final String output;

  /**
   * Creates a run.
   *
   * @param input the model
   * @param output the copy
   */
  RewriteRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      String input,
      String output) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.printer = printer;
    this.input = input;
    this.output = output;
  }

  /** Writes an .onnx model and {@return the exit code} */
  int rewriteOnnx(OnnxOptions options, Duration timeLimit)
      throws IOException, InputRefusedException {
    OnnxRewrite rewrite =
        OnnxRewrite.of(input, ExistingFile.regular(input), options, timeLimit, interruption);
    OnnxRewriteReport report;
    try {
      report = rewrite.write(output);
    } catch (MalformedFileException e) {
      throw e;
    } catch (IOException e) {
      return diagnostics.reportUnwritten(output, e);
    }
    return print(
        report.notes(),
        RewriteAnswer.of(report),
        ShellLine.of("verify", output, GivenOptions.words(spec, Set.of("--dim"))));
  }

  /** Writes a .tflite model and {@return the exit code} */
  int rewriteTflite(RewriteOptions options) throws IOException, InputRefusedException {
    Path model = ExistingFile.regular(input);
    TfliteRewrite rewrite = TfliteRewrite.of(input, model, options, interruption);
    RewriteReport report;
    try (WholeFile.Part part = new WholeFile(output).begin()) {
      report = rewrite.write(output, part.path());
      part.complete();
    } catch (MalformedFileException e) {
      throw e;
    } catch (IOException e) {
      return diagnostics.reportUnwritten(output, e);
    }
    Set<String> kept = new HashSet<>(RuntimeOption.OF_THE_ARENA);
    kept.add("--alias");
    return print(
        report.notes(),
        RewriteAnswer.of(report),
        ShellLine.of("plan", output, GivenOptions.words(spec, kept), "--runtime", "tflm"));
  }

  private int print(List<String> notes, Answer answer, String next) throws IOException {
    notes.forEach(note -> diagnostics.note(input, note));
    printer.print(answer, spec.commandLine().getOut());
    if (printer.isTable()) {
      diagnostics.next(next);
    }
    return ExitCode.DONE;
  }
}
