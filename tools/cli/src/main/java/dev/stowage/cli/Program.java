package dev.stowage.cli;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.Text;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code stowage} with its streams. It runs command lines. */
final class Program {

  /** The commands, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(ManualCommand.class.getAnnotation(Command.class).subcommands());

  private final InputStream in;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Interruption interruption;

  /** Creates a program without a standard input and signals. */
  Program(PrintWriter out, PrintWriter err) {
    this(InputStream.nullInputStream(), out, err, new Interruption());
  }

  Program(InputStream in, PrintWriter out, PrintWriter err, Interruption interruption) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.interruption = interruption;
  }

  /** {@return the exit code of a command line} */
  int run(String... args) {
    RootCommand root = new RootCommand(in, interruption);
    CommandLine commandLine = new CommandLine(root);
    needed(args).forEach(commandLine::addSubcommand);
    Optional.ofNullable(commandLine.getSubcommands().get("generate-completion"))
        .ifPresent(Program::describeCompletion);
    // After the commands, so that --help is behind their options.
    commandLine.getCommandSpec().mixinStandardHelpOptions(true);
    ShortHelp.addTo(commandLine);
    commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        // The name of a file may start with @.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(Program::explainUsage)
        .setExecutionExceptionHandler((e, command, result) -> explainBug(e, root.isDebug()));
    try {
      int exitCode = commandLine.execute(args);
      OptionalInt signal = interruption.signal();
      return signal.isPresent() ? ExitCode.interrupted(signal.getAsInt()) : exitCode;
    } catch (OutOfMemoryError e) {
      err.println("stowage: out of memory; " + ShellLine.withLargerHeap(List.of(args)));
      return ExitCode.FAILED;
    } catch (AssertionError | StackOverflowError e) {
      return explainBug(e, root.isDebug());
    }
  }

  /**
   * {@return the commands that a command line can refer to}
   *
   * <p>If the first word names a command, this is the only one: picocli takes longer to read the
   * annotations of all commands than many commands run. The version needs none.
   */
  private static List<Class<?>> needed(String[] args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return List.of();
    }
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

  private static void describeCompletion(CommandLine completion) {
    completion
        .getCommandSpec()
        .usageMessage()
        .description("Prints a script that completes commands, options and values.")
        .footer(
            "  Complete them in this bash or zsh:", "    source <(stowage generate-completion)");
  }

  /** {@return the message; an option with several names has the name that the user typed} */
  private static String message(ParameterException e, String[] args) {
    // The message on options that exclude each other starts with a word of the parser.
    String message = String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
    if (e instanceof UnmatchedArgumentException it
        && !it.isUnknownOption()
        && it.getCommandLine().getParent() == null) {
      return Text.of(
          "'%s' is no command, expected one such as plan; stowage --help lists them",
          it.getUnmatched().getFirst());
    }
    return e.getArgSpec() instanceof OptionSpec option
        ? Stream.of(option.names())
            .filter(name -> Stream.of(args).anyMatch(arg -> (arg + "=").startsWith(name + "=")))
            .findFirst()
            .map(name -> message.replace("'" + option.longestName() + "'", "'" + name + "'"))
            .orElse(message)
        : message;
  }

  private int explainBug(Throwable e, boolean isDebug) {
    err.println("stowage: " + e + ": " + Diagnostics.BUG);
    if (isDebug) {
      e.printStackTrace(err);
    }
    return ExitCode.FAILED;
  }

  private static int explainUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("stowage: " + message(e, args));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }
}
