package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.RecordedFailure;
import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.FailureAnswer;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
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
      "Runtime, TensorFlow Lite Micro, Netty, Java (direct memory), RAPIDS or the Linux kernel. The",
      "last failure is explained. A recording, such as a snapshot of PyTorch, is replayed."
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
        return outcome(explained(file, found, format.isPresent() && isWhole(file)));
      }
    }
    return outcome(RecordedFailure.of(replay(file)));
  }

  private static ExplainedFailure explained(
      String file, FailureReader.Found found, boolean isReport) throws MalformedFileException {
    if (found.last().isPresent()) {
      return ExplainedFailure.of(file, found.last().get(), found.count(), isReport);
    }
    throw new MalformedFileException(
        file,
        found.isOfProcess()
            ? "is the memory of a process, not a failure; run: "
                + ShellLine.of(List.of("who", file))
            : "has no failure that is known, expected the error text of PyTorch, JAX, TensorFlow,"
                + " ONNX Runtime, TensorFlow Lite Micro, Java, Netty, RAPIDS or the Linux kernel");
  }

  private static Outcome outcome(ExplainedFailure explained) {
    return Outcome.of(FailureAnswer.of(explained)).leadingTo(explained.next());
  }

  private static ReplayReport replay(String file) throws IOException {
    return new ReplayRunner(
            TraceFormats.options(),
            (format, _) -> ReplayedAllocator.ofRecording(format),
            false,
            false,
            false,
            OptionalLong.empty())
        .run(file);
  }

  /** {@return true if a report is complete, so that a replay shows its holes} */
  private static boolean isWhole(String file) throws IOException {
    try {
      return replay(file).result().firstFailure().isPresent();
    } catch (MalformedFileException e) {
      return false; // the report is cut
    }
  }
}
