package dev.stowage.cli.command;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.conclusion.ReplayConclusion;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureChanges;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.pasted.PastedReader;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.FailureAnswer;
import dev.stowage.cli.report.ReplayChanges;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage explain}: explains the text of a failure. */
@Command(
    name = "explain",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Explains the text of a failure: why memory ran out, and which changes help.",
      "FILE has the text anywhere, also a whole log: a message of PyTorch, JAX, TensorFlow, ONNX",
      "Runtime, TensorFlow Lite Micro, Netty, Java, RAPIDS or the Linux kernel. The last",
      "failure is explained. A recording, such as a snapshot of PyTorch, is replayed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the text is explained", "3:the text has no failure that is known"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  Why did my program fail?",
      "    stowage explain error.txt",
      "  Why was a container killed?",
      "    kubectl describe pod my-pod | stowage explain -",
      "  The verdict for a program:",
      "    stowage explain train.log --format json"
    })
public final class ExplainCommand extends InputCommand {

  /** The most bytes of a file that are searched for the memory of a process. */
  private static final int MOST_BYTES = 16 << 20;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "A text with other lines around it, or a recording; may be compressed",
        "(.gz). - is the standard input."
      })
  private List<String> files = List.of();

  @Mixin private TableOrJson format = new TableOrJson();

  @Override
  public Integer call() throws IOException {
    return newRun(format.printer(), "Explaining", "explained")
        .run(files, (file, _) -> interruption().run(() -> explain(file)));
  }

  private Outcome explain(String file) throws IOException {
    if (file.equals(InputReader.STANDARD_INPUT)) {
      return outcome(explained(file, FailureReader.read(in()), false));
    }
    Path path = ExistingFile.of(file);
    // A pipe cannot be read twice.
    Optional<TraceFormat> format =
        Files.isRegularFile(path)
            ? TraceReader.formatOf(path, TraceFormats.options())
            : Optional.empty();
    boolean isText = format.isEmpty() || format.get().isWithinOtherOutput();
    if (isText) {
      FailureReader.Found found;
      try (InputStream text = Files.newInputStream(path)) {
        found = FailureReader.read(text);
      }
      if (found.last().isPresent() || format.isEmpty()) {
        return outcome(explained(file, found, format.isPresent()));
      }
    }
    return outcome(recorded(file));
  }

  private static ExplainedFailure explained(
      String file, FailureReader.Found found, boolean isReport) throws IOException {
    if (found.last().isPresent()) {
      return ExplainedFailure.of(file, found.last().get(), found.count(), isReport);
    }
    throw new MalformedFileException(
        file,
        isOfProcess(Path.of(file))
            ? "is the memory of a process, not a failure; run: "
                + ShellLine.of(List.of("who", file))
            : "has no failure that is known, expected the error text of PyTorch, JAX, TensorFlow,"
                + " ONNX Runtime, TensorFlow Lite Micro, Java, Netty, RAPIDS or the Linux kernel; of a"
                + " killed process, pass the output of dmesg or kubectl describe pod");
  }

  private static boolean isOfProcess(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (InputStream text = Files.newInputStream(path)) {
      return PastedReader.read(List.of(text.readNBytes(MOST_BYTES))).isPresent();
    }
  }

  private static Outcome outcome(ExplainedFailure explained) {
    return Outcome.of(FailureAnswer.of(explained)).leadingTo(explained.next());
  }

  /** {@return the first failure of a recording; the sentence is the conclusion of its replay} */
  private static ExplainedFailure recorded(String file) throws IOException {
    ReplayReport report =
        new ReplayRunner(
                TraceFormats.options(),
                (format, _) -> ReplayedAllocator.ofRecording(format),
                false,
                false,
                false,
                OptionalLong.empty())
            .run(file);
    Conclusion conclusion = ReplayConclusion.of(report, List.of(), List.of());
    Optional<ReplayResult.Failure> failure = report.result().firstFailure();
    FailureNumbers numbers =
        failure.map(one -> ReplayChanges.numbers(one, true)).orElse(FailureNumbers.NONE);
    return new ExplainedFailure(
        file,
        new Failure(
            ReplayChanges.program(report),
            ExplainedFailure.RECORDING,
            Failure.Cause.REQUEST,
            numbers,
            "",
            1),
        report.result().failures(),
        failure.map(ReplayResult.Failure::verdict).orElse(OutOfMemoryVerdict.UNKNOWN),
        (failure.isEmpty() ? "No request fails in this recording. " : "") + conclusion.sentence(),
        failure.map(one -> ReplayChanges.of(report, one)).orElse(FailureChanges.NONE),
        List.of(),
        conclusion.command().orElseGet(() -> ShellLine.of(List.of("replay", file))),
        report.isSimulated());
  }
}
