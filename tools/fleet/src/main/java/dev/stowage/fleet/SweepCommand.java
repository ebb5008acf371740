package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import dev.stowage.fleet.flink.FlinkFiles;
import dev.stowage.fleet.flink.SweepException;
import dev.stowage.fleet.item.ItemCollector;
import dev.stowage.fleet.item.ItemCommand;
import dev.stowage.fleet.result.Shard;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage sweep}: runs a command on many inputs. */
@Command(
    name = "sweep",
    sortOptions = false,
    customSynopsis = "stowage sweep [OPTIONS] INPUT... --run COMMAND [-- OPTIONS OF THE COMMAND]",
    description = {
      // The list of commands has the first line.
      "Runs plan, budget, replay or tune on each model or trace of many INPUTs.",
      "The items run in parallel on this machine, or on a cluster of Apache Flink. Each one runs in",
      "a worker process. An item that ends its worker runs once more alone, and is then reported.",
      "Searches have a limit of nodes, so that two sweeps have the same results.",
      "An INPUT is one of these:",
      "  a file or a folder, whose subfolders are searched, too",
      "  a pattern in quotes, such as 'models/**/*.onnx'",
      "  @ and the name of a list with an INPUT in each line; @- is the standard input",
      "  a manifest (.jsonl), whose lines have a file, its dimensions and its options, such as",
      "    {\"file\": \"model.onnx\", \"dimensions\": {\"batch\": [1, 8]}, \"options\": [\"--io\"]}"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:an item failed for another reason than its input",
      "2:a wrong command line",
      "3:an item failed because of its input",
      "4:an item does not fit",
      "130, 143:interrupted by SIGINT or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do all models in a folder need?",
      "    stowage sweep models/ --run plan",
      "  Write the results as JSON lines, as Avro and as a page; compute only changes next time:",
      "    stowage sweep models/ --run plan --results out/ --cache cache/",
      "  Search longer for each of them:",
      "    stowage sweep models/ --run plan -- --node-limit 10000000",
      "  Divide a sweep between two machines, and put the results together:",
      "    stowage sweep models/ --run budget --shard 1/2 --results a/",
      "    stowage sweep models/ --run budget --shard 2/2 --results b/",
      "    stowage sweep --merge a/ b/ --results all/",
      "  Run a sweep on a session cluster:",
      "    stowage sweep models.jsonl --run plan --cluster localhost:8081 --results /shared/out/"
    })
final class SweepCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "INPUT",
      description = "The inputs; with --merge, the folders with the results of the shards.")
  private List<String> inputs = List.of();

  @Option(
      names = "--run",
      paramLabel = "COMMAND",
      description = "The command of each item: plan, budget, replay or tune.")
  private Optional<String> run = Optional.empty();

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      description = {
        "Write results.jsonl (a line for each item, sorted by key),",
        "results.avro and report.html to FOLDER. --cluster needs a FOLDER that",
        "all machines have."
      })
  private Optional<String> results = Optional.empty();

  @Option(
      names = "--cache",
      paramLabel = "FOLDER",
      description = {
        "Keep the results in FOLDER, by the content of the file, the options",
        "and the version of Stowage. The next sweep computes only changes."
      })
  private Optional<String> cache = Optional.empty();

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Run only part I of N parts of the items, such as 1/4.")
  private Optional<String> shard = Optional.empty();

  @Option(names = "--merge", description = "Merge the results of all shards instead of a sweep.")
  private boolean isMerge;

  @Mixin private WorkerOptions workers = new WorkerOptions();

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default), or json with one line for each item.")
  private Format format = Format.table;

  @Spec private CommandSpec spec;

  private final List<String> itemOptions;
  private final SweepInterruption interruption;

  /** The formats of the standard output. */
  private enum Format {
    table,
    json
  }

  /**
   * Creates the command.
   *
   * @param itemOptions the options of the command that the items run
   * @param interruption the handler of signals
   */
  SweepCommand(List<String> itemOptions, SweepInterruption interruption) {
    this.itemOptions = itemOptions;
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      if (isMerge) {
        return merge();
      }
      ItemCommand command = command();
      ItemOptions.check(itemOptions, spec);
      cache.ifPresent(path -> ResultsFolder.checkScheme("--cache", path, spec));
      ResultsFolder folder = ResultsFolder.of(results, workers.isCluster(), spec);
      Shard part = shard();
      ItemCollector collector =
          new ItemCollector(command, itemOptions, new FlinkFiles(), System.in);
      inputs.forEach(collector::add);
      noteSkipped(collector.skipped(), command);
      SweepRun sweep =
          new SweepRun(command, itemOptions, part, workers, cache, folder, client(), interruption);
      int exitCode = sweep.run(collector.toList(), spec.commandLine().getErr());
      return exitCode == ExitCode.USAGE ? exitCode : finish(sweep.report(), exitCode);
    } catch (SweepException e) {
      report(String.valueOf(e.getMessage()));
      return ExitCode.FAILED;
    }
  }

  private int merge() throws IOException, InterruptedException {
    String option =
        run.isPresent()
            ? "--run"
            : shard.isPresent() ? "--shard" : cache.isPresent() ? "--cache" : "";
    if (!option.isEmpty() || !itemOptions.isEmpty()) {
      throw usage(
          "--merge reads results, but "
              + (option.isEmpty() ? "-- " + String.join(" ", itemOptions) : option)
              + " is for a sweep; omit it");
    }
    ShardMerge merge =
        new ShardMerge(inputs, ResultsFolder.of(results, false, spec), client(), this::report);
    int exitCode = merge.run();
    return merge.report().isPresent() ? finish(merge.report().get(), exitCode) : exitCode;
  }

  private ClientWorker client() {
    return new ClientWorker(workers.clientSettings(), this::report);
  }

  /** Prints the results and {@return the exit code} */
  private int finish(SweepReport report, int exitCode) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (report) {
      if (format == Format.json) {
        report.printLines(out);
      } else {
        report.printTable(out);
      }
      out.flush();
      report.files().forEach(file -> report("wrote " + file));
      return ExitCode.graver(exitCode, report.exitCode());
    }
  }

  private ItemCommand command() {
    if (run.isEmpty()) {
      throw usage("--run is missing, expected --run plan, budget, replay or tune");
    }
    return ItemCommand.of(run.get())
        .orElseThrow(
            () -> usage("--run is '" + run.get() + "', expected plan, budget, replay or tune"));
  }

  private Shard shard() {
    if (shard.isEmpty()) {
      return Shard.ALL;
    }
    return Shard.parse(shard.get())
        .orElseThrow(() ->
            usage(
                "--shard is '"
                    + shard.get()
                    + "', expected the number of a part and of all parts, such as 1/4"));
  }

  private void noteSkipped(List<String> skipped, ItemCommand command) {
    int shown = Math.min(skipped.size(), 4);
    if (shown > 0) {
      report(
          String.format(
              Locale.ROOT,
              "note: skipped %d files of folders that are no inputs of %s: %s%s",
              skipped.size(),
              command.argument(),
              String.join(", ", skipped.subList(0, shown)),
              skipped.size() > shown ? " and others" : ""));
    }
  }

  private void report(String message) {
    spec.commandLine().getErr().println("stowage: " + message.replace('\n', ' '));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
