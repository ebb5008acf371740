package dev.stowage.cli;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.InputCommand;
import java.io.InputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code stowage} without its commands. */
@Command(
    name = "stowage",
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    description = "Plans the memory of models, and replays the allocations of programs.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:a bug in Stowage, a failure to write output, or a verification that found a difference"
          + " or ran out of time",
      "2:a wrong command line",
      "3:a file that cannot be read, planned, checked, replayed, explained or run",
      "4:no plan within the capacity, an invalid plan, requests that fail under a limit, more"
          + " growth than --fail-above, or no shape within a --limit",
      "5:figures that are worse than those of the --baseline",
      "130, 143:interrupted by SIGINT or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do the tensors of a model need?",
      "    stowage plan examples/mobilenet_v2.tflite",
      "  How large is the arena on a microcontroller? Write the plan into the model.",
      "    stowage rewrite examples/tflm/detector.tflite --output planned.tflite",
      "  Which memory limit does the container of a service need?",
      "    stowage budget examples/tiny_cnn.onnx --dim batch=1..16",
      "  My program ran out of memory. Why, and what helps?",
      "    stowage explain error.txt",
      "  Where did the memory of a GPU go, and with which settings would it need less?",
      "    stowage replay examples/attention.pickle --explain",
      "    stowage tune examples/attention.pickle",
      "  Why did a job of JAX fail although memory was free?",
      "    stowage replay examples/jax/oom.log",
      "  Who has the memory of a running process?",
      "    stowage who $(pgrep -f my-service.jar)"
    })
class RootCommand implements Runnable, InputCommand.Session {

  @Option(
      names = "--debug",
      order = ShortHelp.RARE,
      scope = ScopeType.INHERIT,
      description = "Also print stack traces.")
  private boolean debug;

  // Read by ShortHelp.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = ShortHelp.ALL,
      scope = ScopeType.INHERIT,
      usageHelp = true,
      description = ShortHelp.ALL_DESCRIPTION)
  private boolean isHelpComplete;

  @Spec private CommandSpec spec;

  private final InputStream in;
  private final Interruption interruption;

  RootCommand(InputStream in, Interruption interruption) {
    this.in = in;
    this.interruption = interruption;
  }

  @Override
  public final InputStream in() {
    return in;
  }

  @Override
  public final Interruption interruption() {
    return interruption;
  }

  /** {@return true if the user asked for stack traces} */
  final boolean isDebug() {
    return debug;
  }

  /** Rejects a command line without a command. */
  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), "the command is missing, expected one such as plan");
  }
}
