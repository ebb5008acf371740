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
import picocli.CommandLine.ParameterException;

/** The program {@code stowage}. */
public final class Stowage {

  /** The commands, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(ManualCommand.class.getAnnotation(Command.class).subcommands());

  private Stowage() {}

  /**
   * Runs a command line and exits with its code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    // Numbers look the same for all users: ASCII digits, groups separated by commas.
    Locale.setDefault(Locale.ROOT);
    FailureTrackingOutput stdout =
        new FailureTrackingOutput(new FileOutputStream(FileDescriptor.out));
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
    RootCommand root = new RootCommand();
    CommandLine commandLine = new CommandLine(root, new CommandFactory(in, interruption));
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
        .setExecutionExceptionHandler((e, command, result) -> explainBug(e, err, root.isDebug()));
    try {
      int exitCode = commandLine.execute(args);
      OptionalInt signal = interruption.signal();
      return signal.isPresent() ? ExitCode.interrupted(signal.getAsInt()) : exitCode;
    } catch (OutOfMemoryError e) {
      err.println("stowage: " + Diagnostics.OUT_OF_MEMORY);
      return ExitCode.FAILED;
    } catch (AssertionError | StackOverflowError e) {
      return explainBug(e, err, root.isDebug());
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

  private static int explainBug(Throwable e, PrintWriter err, boolean isDebug) {
    err.println("stowage: " + e + ": " + Diagnostics.BUG);
    if (isDebug) {
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
}
