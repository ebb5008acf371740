package dev.stowage.fleet;

import dev.stowage.fleet.InputFiles.Command;
import dev.stowage.fleet.job.Batches;
import dev.stowage.fleet.job.CommandRun;
import dev.stowage.fleet.job.FlinkSweep;
import dev.stowage.fleet.job.SweepTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage sweep}: runs a command on many files. The script {@code stowage} starts it. */
@CommandLine.Command(
    name = "stowage sweep",
    sortOptions = false,
    customSynopsis =
        "stowage sweep INPUT... --run COMMAND --results FOLDER [-- OPTIONS OF THE COMMAND]",
    description = {
      "Runs plan, budget, replay or tune on each model or trace of many INPUTs.",
      "An INPUT is a file, or a folder with files that the command reads. The files run in parallel",
      "on this machine or on a cluster of Apache Flink. If a file fails or ends its process, its line",
      "among the results has the reason."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:a file failed for another reason than its content, or the sweep ended early",
      "2:a wrong command line",
      "3:a file cannot be read or is not valid",
      "4:a file has no plan within the capacity, or requests that failed",
      "130, 143:interrupted by SIGINT or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do all models in a folder need?",
      "    stowage sweep models/ --run plan --results out/",
      "  Search longer for each of them, on a cluster:",
      "    stowage sweep models/ --run plan --results /nfs/out/ --cluster host:8081 -- --time-limit 60"
    })
public final class Sweep implements Callable<Integer> {

  private static final int FAILED = 1;
  private static final int BAD_INPUT = 3;

  private static final long END_SECONDS = 60;
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:/\\s]+):([0-9]{1,5})");

  /** The options that print something else, or write one file for all runs of the command. */
  private static final Set<String> NOT_SWEPT =
      Set.of(
          "--format",
          "--output",
          "--placements",
          "--profile",
          "--baseline",
          "--update-baseline",
          "--help",
          "--help-all",
          "--version");

  @Parameters(arity = "1..*", paramLabel = "INPUT", description = "The files and folders.")
  private List<String> inputs = List.of();

  @Option(
      names = "--run",
      required = true,
      paramLabel = "COMMAND",
      description = "The command: ${COMPLETION-CANDIDATES}.")
  private Command run = Command.plan;

  @Option(
      names = "--results",
      required = true,
      paramLabel = "FOLDER",
      description = {
        "Write files of JSON lines to FOLDER, which must be empty or new. Each",
        "line has the fields input and result, or input and error."
      })
  private String results = "";

  @Option(
      names = "--cluster",
      paramLabel = "HOST:PORT",
      description = {
        "Run on a session cluster of Flink with this REST address. All machines",
        "need stowage, and the files and FOLDER under the same paths."
      })
  private Optional<String> cluster = Optional.empty();

  @Option(names = "--debug", description = "Also print stack traces.")
  private boolean debug;

  @Option(
      names = {"-h", "--help", "--help-all"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Spec private CommandSpec spec;

  private final List<String> options;

  private Sweep(List<String> options) {
    this.options = options;
  }

  /**
   * Runs a command line and exits with its code.
   *
   * @param args the command line, with the word {@code sweep}
   */
  public static void main(String[] args) {
    // Numbers look the same for all users: ASCII digits, groups separated by commas.
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintWriter out, PrintWriter err, String... args) {
    List<String> words = new ArrayList<>(Arrays.asList(args));
    words.remove("sweep");
    int end = words.indexOf("--");
    List<String> options = end < 0 ? List.of() : words.subList(end + 1, words.size());
    List<String> own = end < 0 ? words : words.subList(0, end);
    Sweep sweep = new Sweep(List.copyOf(options));
    return new CommandLine(sweep)
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100)
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, line) -> sweep.explainUsage(e))
        .setExecutionExceptionHandler((e, command, result) -> sweep.explainBug(e))
        .execute(own.toArray(String[]::new));
  }

  @Override
  public Integer call() throws InterruptedException {
    checkOptions();
    Optional<InetSocketAddress> address = cluster.map(this::address);
    List<String> files;
    try {
      files = InputFiles.of(inputs, run);
    } catch (IOException | UncheckedIOException e) {
      report("a folder cannot be read: " + e.getMessage());
      return BAD_INPUT;
    }
    if (files.isEmpty()) {
      report(String.join(", ", inputs) + ": has no files that " + run + " reads");
      return BAD_INPUT;
    }
    try {
      Path folder = folder();
      SweepTask task =
          new SweepTask(
              System.getProperty("stowage.program", "stowage"),
              Path.of("").toAbsolutePath().toString(),
              run.name(),
              options,
              folder.toAbsolutePath().toString());
      // A file without a name: the command checks its options, and reads nothing.
      CommandRun check = CommandRun.of(task, List.of(""));
      if (check.exitCode() == CommandRun.USAGE) {
        check.messages().forEach(spec.commandLine().getErr()::println);
        return CommandRun.USAGE;
      }
      return sweep(new FlinkSweep(task, address), Files.createDirectories(folder), files);
    } catch (IOException e) {
      report("results cannot be written to " + results + ": " + e);
      return FAILED;
    }
  }

  private int sweep(FlinkSweep sweep, Path folder, List<String> files)
      throws IOException, InterruptedException {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(sweep, end)));
    PrintWriter out = spec.commandLine().getOut();
    try {
      Optional<String> failure =
          sweep.run(Batches.of(files), done -> printProgress(done, files.size()));
      printProgress(files.size(), files.size());
      SweepSummary summary = SweepSummary.of(folder);
      summary.print(files.size(), out);
      out.flush();
      int missing = files.size() - summary.fileCount();
      failure.ifPresent(this::report);
      if (failure.isEmpty() && missing > 0) {
        report(missing + " results are not in " + results + ": all machines need the same folder");
      }
      if (summary.fileCount() > 0) {
        report("wrote " + folder.resolve(SweepTask.RESULTS + "*.jsonl"));
      }
      return failure.isPresent() || missing > 0 ? FAILED : sweep.exitCode();
    } finally {
      end.complete(null);
    }
  }

  /** Ends the sweep after a signal, and waits until it has printed its results so far. */
  private static void interrupt(FlinkSweep sweep, CompletableFuture<Void> end) {
    if (!end.isDone()) {
      sweep.cancel();
      end.completeOnTimeout(null, END_SECONDS, TimeUnit.SECONDS).join();
    }
  }

  /** Prints the number of finished files in one line of a terminal, which the end erases. */
  private void printProgress(int done, int all) {
    if (Boolean.getBoolean("stowage.terminal")) {
      PrintWriter err = spec.commandLine().getErr();
      String text = String.format(Locale.ROOT, "%,d of %,d files", done, all);
      err.print(done < all ? "\r" + text : "\r" + " ".repeat(text.length()) + "\r");
      err.flush();
    }
  }

  private void checkOptions() {
    for (String option : options) {
      String name = option.replaceFirst("=.*", "");
      if (NOT_SWEPT.contains(name)) {
        throw usage(name + " is an option for a single file; --results writes the results of all");
      }
    }
  }

  private InetSocketAddress address(String text) {
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
      throw usage("--cluster is '" + text + "', expected an address such as localhost:8081");
    }
    return InetSocketAddress.createUnresolved(address.group(1), Integer.parseInt(address.group(2)));
  }

  /** {@return the folder of the results, which need not exist} */
  private Path folder() throws IOException {
    Path folder = Path.of(results);
    boolean isFresh = Files.notExists(folder);
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        isFresh = files.findAny().isEmpty();
      }
    }
    if (!isFresh) {
      throw usage("--results is '" + results + "', expected an empty folder or a new one");
    }
    return folder;
  }

  private int explainUsage(ParameterException e) {
    report(String.valueOf(e.getMessage()));
    spec.commandLine().getErr().println("Try 'stowage sweep --help'.");
    return CommandRun.USAGE;
  }

  private int explainBug(Exception e) {
    report(e + ": this is a bug in Stowage; please report it, with the output of --debug");
    if (debug) {
      e.printStackTrace(spec.commandLine().getErr());
    }
    return FAILED;
  }

  private void report(String message) {
    spec.commandLine().getErr().println("stowage: " + message.replace('\n', ' '));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
