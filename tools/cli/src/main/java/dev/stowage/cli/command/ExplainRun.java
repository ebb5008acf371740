package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.RecordedFailure;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.FailureAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.console.ExitCode;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The explanations of {@code stowage explain}. */
final class ExplainRun {

  private final CommandSpec spec;
  private final AnswerPrinter printer;
  private final InputStream standardInput;

  ExplainRun(CommandSpec spec, AnswerPrinter printer, InputStream standardInput) {
    this.spec = spec;
    this.printer = printer;
    this.standardInput = standardInput;
  }

  /** Explains the failures in files and {@return the gravest exit code} */
  int run(List<String> files) {
    return EachFile.run(
        spec,
        files,
        "explained",
        (_, file) -> {
          ExplainedFailure explained = explain(file);
          printer.print(FailureAnswer.of(explained), spec.commandLine().getOut());
          if (printer.isTable()) {
            Diagnostics.of(spec).next(explained.next());
          }
          return ExitCode.DONE;
        });
  }

  private ExplainedFailure explain(String file) throws IOException {
    if (file.equals(InputReader.STANDARD_INPUT)) {
      return explain(file, FailureReader.read(standardInput), Optional.empty());
    }
    Path path = ExistingFile.of(file);
    // A pipe cannot be read twice.
    Optional<TraceFormat> format =
        Files.isRegularFile(path)
            ? TraceReader.formatOf(path, TraceFormats.options())
            : Optional.empty();
    if (format.isPresent() && !format.get().isWithinOtherOutput()) {
      return RecordedFailure.of(replay(file));
    }
    try (InputStream in = Files.newInputStream(path)) {
      return explain(file, FailureReader.read(in), format);
    }
  }

  private static ExplainedFailure explain(
      String file, FailureReader.Found found, Optional<TraceFormat> format) throws IOException {
    if (found.last().isPresent()) {
      return ExplainedFailure.of(
          file, found.last().get(), found.count(), format.isPresent() && isReport(file));
    }
    if (format.isPresent()) {
      return RecordedFailure.of(replay(file));
    }
    throw new MalformedFileException(
        file,
        found.isOfProcess()
            ? "is the memory of a process, not a failure: "
                + ShellLine.of(List.of("who", file))
            : "has no failure that is known, expected the error text of PyTorch, JAX, TensorFlow,"
                + " ONNX Runtime, TensorFlow Lite Micro, Java, Netty, RAPIDS or the Linux kernel");
  }

  private static ReplayReport replay(String file) throws IOException {
    return new ReplayRunner(
            TraceFormats.options(), AllocatorOptions.ofRecordings(), false, false, true)
        .run(file);
  }

  /** {@return true if a text has a whole report, which a replay draws} */
  private static boolean isReport(String file) throws IOException {
    try {
      return replay(file).result().firstFailure().isPresent();
    } catch (MalformedFileException e) {
      return false; // the report is cut
    }
  }
}
