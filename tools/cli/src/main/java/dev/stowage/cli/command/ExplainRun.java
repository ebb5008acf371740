package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.RecordedFailure;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.FailureAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.trace.TraceFormats;
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
          explain(file);
          return ExitCode.DONE;
        });
  }

  private void explain(String file) throws IOException {
    if (file.equals(InputReader.STANDARD_INPUT)) {
      print(file, FailureReader.read(standardInput), Optional.empty());
      return;
    }
    Path path = ExistingFile.of(file);
    // A pipe cannot be read twice.
    Optional<TraceFormat> format =
        Files.isRegularFile(path)
            ? TraceReader.formatOf(path, TraceFormats.options())
            : Optional.empty();
    if (format.isPresent() && !format.get().isWithinOtherOutput()) {
      print(RecordedFailure.of(replay(file)), Optional.empty());
      return;
    }
    FailureReader.Found found;
    try (InputStream in = Files.newInputStream(path)) {
      found = FailureReader.read(in);
    }
    if (found.last().isEmpty() && format.isPresent()) {
      print(RecordedFailure.of(replay(file)), Optional.empty());
    } else {
      print(file, found, format.isPresent() ? report(file) : Optional.empty());
    }
  }

  private void print(String file, FailureReader.Found found, Optional<ReplayReport> report)
      throws IOException {
    Failure failure =
        found
            .last()
            .orElseThrow(() ->
                new MalformedFileException(
                    file,
                    found.isOfProcess()
                        ? "is the memory of a process, not a failure: "
                            + ShellLine.of(List.of("who", file))
                        : "has no failure that is known, expected the error text of PyTorch, JAX,"
                            + " TensorFlow, ONNX Runtime, TensorFlow Lite Micro, Java, Netty,"
                            + " RAPIDS or the Linux kernel"));
    print(ExplainedFailure.of(file, failure, found.count(), report.isPresent()), report);
  }

  private void print(ExplainedFailure explained, Optional<ReplayReport> report) throws IOException {
    printer.print(FailureAnswer.of(explained, report), spec.commandLine().getOut());
    if (printer.isTable()) {
      Diagnostics.of(spec).next(explained.next());
    }
  }

  private static ReplayReport replay(String file) throws IOException {
    return new ReplayRunner(
            TraceFormats.options(), ReplayedAllocator::ofRecording, false, false, true)
        .run(file);
  }

  /** {@return the replay of a whole report; empty if the text has none} */
  private static Optional<ReplayReport> report(String file) throws IOException {
    try {
      return Optional.of(replay(file)).filter(report -> report.result().firstFailure().isPresent());
    } catch (MalformedFileException e) {
      return Optional.empty(); // the report is cut
    }
  }
}
