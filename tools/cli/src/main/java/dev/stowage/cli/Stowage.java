package dev.stowage.cli;

import dev.stowage.cli.plan.Interruption;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code stowage}. */
@Command(
    name = "stowage",
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Plans tensor memory: how much a model needs, and where each tensor goes.",
      "Predicts the native memory of a service that runs a model.",
      "Checks plans from any source.",
      "Writes plans into models.",
      "Replays recorded allocations with an allocator, and shows how much memory it needs.",
      "Finds the settings with which an allocator needs least memory for recorded allocations.",
      "Compares the memory of two traces.",
      "Runs models in planned memory, and compares their outputs with ONNX Runtime's.",
      "Lists the devices of this machine.",
      "Runs a command on thousands of models and traces, also on a cluster."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:a bug in Stowage, a failure to write output, or a verification that found a difference"
          + " or ran out of time",
      "2:a wrong command line",
      "3:a file that cannot be read, planned, checked, replayed or run",
      "4:no plan within the capacity, an invalid plan, requests that fail under a limit, more"
          + " growth than --fail-above, or no shape within a --limit",
      "5:figures that are worse than those of the --baseline",
      "130, 143:interrupted by SIGINT or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do the tensors of a model need?",
      "    stowage plan examples/mobilenet_v2.tflite",
      "  How much memory does an allocator need while a model is trained?",
      "    stowage replay examples/training.csv",
      "  With which settings would the allocator need less?",
      "    stowage tune examples/training.csv"
    })
public sealed class Stowage implements Runnable permits ManualCommand {

  /** The commands, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(ManualCommand.class.getAnnotation(Command.class).subcommands());

  @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Also print stack traces.")
  private boolean debug;

  @Spec private CommandSpec spec;

  private final InputStream in;
  private final Interruption interruption;

  Stowage(InputStream in, Interruption interruption) {
    this.in = in;
    this.interruption = interruption;
  }

  /**
   * Runs a command line and exits with its code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    // Numbers look the same for all users: ASCII digits, groups separated by commas.
    Locale.setDefault(Locale.ROOT);
    RememberingOutput stdout = new RememberingOutput(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = new PrintWriter(new OutputStreamWriter(stdout, StandardCharsets.UTF_8));
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Interruption interruption = new Interruption();
    Signals.interrupt(interruption);
    int exitCode = run(new FileInputStream(FileDescriptor.in), out, err, interruption, args);
    out.flush();
    if (stdout.failure().isPresent()) {
      // A reader such as head closes the pipe early, which is not an error.
      if (!StandardOutput.descriptor().map(StandardOutput::isPipe).orElse(false)) {
        err.println("stowage: the standard output cannot be written: " + stdout.failure().get());
      }
      exitCode = ExitCode.FAILED;
    }
    System.exit(exitCode);
  }

  /** {@return the exit code of a command line without a standard input and signals} */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(InputStream.nullInputStream(), out, err, new Interruption(), args);
  }

  /** {@return the exit code of a command line} */
  static int run(
      InputStream in, PrintWriter out, PrintWriter err, Interruption interruption, String... args) {
    Stowage stowage = new Stowage(in, interruption);
    CommandLine commandLine = new CommandLine(stowage);
    needed(args).forEach(commandLine::addSubcommand);
    // After the commands, so that --help is behind their options.
    commandLine.getCommandSpec().mixinStandardHelpOptions(true);
    commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        // The name of a file may start with @.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(Stowage::explainUsage)
        .setExecutionExceptionHandler((e, command, result) -> stowage.explainBug(e, err));
    try {
      int exitCode = commandLine.execute(args);
      OptionalInt signal = interruption.signal();
      return signal.isPresent() ? ExitCode.interrupted(signal.getAsInt()) : exitCode;
    } catch (OutOfMemoryError e) {
      err.println("stowage: " + Diagnostics.OUT_OF_MEMORY);
      return ExitCode.FAILED;
    } catch (AssertionError | StackOverflowError e) {
      return stowage.explainBug(e, err);
    }
  }

  /**
   * {@return the commands that a command line can refer to}
   *
   * <p>If the first word names a command, this is the only one: picocli takes longer to read the
   * annotations of all commands than many commands run.
   */
  private static List<Class<?>> needed(String[] args) {
    return COMMANDS.stream()
        // The script of completions has all commands.
        .filter(each -> each != AutoComplete.GenerateCompletion.class)
        .filter(each -> args.length > 0 && name(each).equals(args[0]))
        .findFirst()
        .<List<Class<?>>>map(List::of)
        .orElse(COMMANDS);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** {@return the main command of a command} */
  static Stowage of(CommandSpec command) {
    return (Stowage) command.root().userObject();
  }

  /** {@return the standard input} */
  InputStream in() {
    return in;
  }

  /** {@return the handler of signals} */
  Interruption interruption() {
    return interruption;
  }

  private int explainBug(Throwable e, PrintWriter err) {
    err.println("stowage: " + e + ": " + Diagnostics.BUG);
    if (debug) {
      e.printStackTrace(err);
    }
    return ExitCode.FAILED;
  }

  private static int explainUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("stowage: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  /** Rejects a command line without a command. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "the command is missing, expected one such as plan");
  }
}
