package dev.stowage.cli.command;

import dev.stowage.cli.option.TableOrJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class ExplainCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "A text with other lines around it, or a recording; may be compressed",
        "(.gz). - is the standard input."
      })
  private List<String> files = List.of();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private final InputStream in;

  public ExplainCommand(InputStream in) {
    this.in = in;
  }

  @Override
  public Integer call() throws IOException {
    return new ExplainRun(spec, format.printer(), in).run(files);
  }
}
