package dev.stowage.cli;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.text.LargerHeap;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The program {@code stowage} with its streams, which runs command lines. */
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
    RootCommand root = new RootCommand();
    CommandLine commandLine = new CommandLine(root, new CommandFactory(in, interruption));
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
      err.println("stowage: out of memory; " + LargerHeap.remedy(List.of(args)));
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

  private static boolean isUnknownCommand(String[] args) {
    return args.length > 0
        && !args[0].startsWith("-")
        && COMMANDS.stream().noneMatch(each -> name(each).equals(args[0]));
  }

  /**
   * {@return the names of the commands in the help: {@code plan, budget, ... or
   * generate-completion}}
   */
  private static String names() {
    String names =
        COMMANDS.stream()
            .filter(each -> !each.getAnnotation(Command.class).hidden())
            .map(Program::name)
            .collect(Collectors.joining(", "));
    return names.replaceFirst(", ([^,]*)$", " or $1");
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
    if (isUnknownCommand(args)) {
      err.println("stowage: '" + args[0] + "' is not a command, expected " + names());
    } else {
      err.println("stowage: " + e.getMessage());
      CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }
}
