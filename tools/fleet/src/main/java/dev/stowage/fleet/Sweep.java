package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import dev.stowage.console.ShortHelp;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code stowage} with its subcommand {@code sweep}. The script {@code stowage} runs it
 * for sweeps, and so does {@code flink run}.
 */
@Command(
    name = "stowage",
    versionProvider = Sweep.Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Sweep implements Runnable {

  private static final String NAME = "sweep";

  /** The word between the options of a sweep and those of its command. */
  private static final String SEPARATOR = "--";

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

  private Sweep() {}

  /**
   * Runs a command line and exits with its code.
   *
   * @param args the command line; {@code sweep} may be omitted
   */
  public static void main(String[] args) {
    // Numbers look the same for all users: ASCII digits, groups separated by commas.
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    SweepInterruption interruption = new SweepInterruption();
    interruption.handleSignals();
    int exitCode = run(out, err, interruption, args);
    out.flush();
    System.exit(exitCode);
  }

  static int run(PrintWriter out, PrintWriter err, SweepInterruption interruption, String... args) {
    List<String> words = new ArrayList<>(Arrays.asList(args));
    int end = words.indexOf(SEPARATOR);
    List<String> itemOptions =
        end < 0 ? List.of() : List.copyOf(words.subList(end + 1, words.size()));
    List<String> own = end < 0 ? words : words.subList(0, end);
    boolean isNamed =
        own.stream()
            .filter(word -> !word.startsWith("-"))
            .findFirst()
            .filter(NAME::equals)
            .isPresent();
    if (!isNamed) {
      own.add(0, NAME);
    }
    Sweep sweep = new Sweep();
    CommandLine commandLine =
        new CommandLine(sweep).addSubcommand(new SweepCommand(itemOptions, interruption));
    // After the command, so that --help is behind its options.
    commandLine.getCommandSpec().mixinStandardHelpOptions(true);
    ShortHelp.addTo(commandLine);
    return commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        // The name of an input may start with @.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(Sweep::explainUsage)
        .setExecutionExceptionHandler((e, command, result) -> sweep.explainBug(e, err))
        .execute(own.toArray(String[]::new));
  }

  private int explainBug(Throwable e, PrintWriter err) {
    err.println(
        "stowage: "
            + e
            + ": this is a bug in Stowage; please report it, with the output of --debug");
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
    throw new ParameterException(spec.commandLine(), "the command is missing, expected sweep");
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = Sweep.class.getPackage().getImplementationVersion();
      return new String[] {"stowage " + (version == null ? "(not packaged)" : version)};
    }
  }
}
