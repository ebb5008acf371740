package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import dev.stowage.fleet.flink.FlinkSweep;
import dev.stowage.fleet.flink.RunnerWorkers;
import dev.stowage.fleet.flink.SweepException;
import dev.stowage.fleet.flink.SweepJob;
import dev.stowage.fleet.flink.SweepOutcome;
import dev.stowage.fleet.item.FailedInput;
import dev.stowage.fleet.item.ItemCommand;
import dev.stowage.fleet.item.ItemId;
import dev.stowage.fleet.item.ItemList;
import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import dev.stowage.fleet.result.LineMerge;
import dev.stowage.fleet.result.Shard;
import dev.stowage.fleet.result.SweepFacts;
import dev.stowage.fleet.worker.WorkerSettings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One sweep: from its items to its results. */
final class SweepRun {

  private final ItemCommand command;
  private final List<String> options;
  private final Shard shard;
  private final WorkerOptions workers;
  private final WorkerSettings settings;
  private final ResultsFolder folder;
  private final SweepInterruption interruption;
  private Optional<SweepReport> report = Optional.empty();
  private final ClientWorker client;

  SweepRun(
      ItemCommand command,
      List<String> options,
      Shard shard,
      WorkerOptions workers,
      Optional<String> cache,
      ResultsFolder folder,
      ClientWorker client,
      SweepInterruption interruption) {
    this.command = command;
    this.options = command.repeatable(options);
    this.shard = shard;
    this.workers = workers;
    this.folder = folder;
    this.client = client;
    this.interruption = interruption;
    settings = workers.settings(cache);
  }

  /** {@return the results of the run} */
  SweepReport report() {
    return report.orElseThrow();
  }

  /**
   * Runs the items and {@return the exit code of the run, without those of the items}
   *
   * @throws SweepException if the sweep cannot start
   * @throws IOException if the results cannot be written
   */
  int run(ItemList all, PrintWriter err) throws IOException, InterruptedException {
    List<WorkItem> items = all.items().stream().filter(item -> shard.contains(item.key())).toList();
    List<FailedInput> failures =
        all.failures().stream().filter(failure -> shard.contains(failure.key())).toList();
    Optional<List<String>> refusal = client.refusal(command.argument(), options);
    if (refusal.isPresent()) {
      refusal.get().forEach(err::println);
      return ExitCode.USAGE;
    }
    Path work = folder.work();
    writeItems(items, work.resolve("items.jsonl"));
    SweepOutcome outcome = runItems(items.size(), work, failures.size());
    Path results = work.resolve("results.jsonl");
    LineMerge.add(results, failures.stream().map(SweepRun::line).toList());
    boolean isComplete = outcome.results().resultCount() == items.size();
    SweepFacts facts =
        new SweepFacts(
            command.argument(),
            options,
            client.version(),
            shard,
            items.size() + (long) failures.size(),
            isComplete);
    report =
        Optional.of(
            SweepReport.of(folder, results, facts, outcome.results().cachedCount(), client));
    return exitCode(outcome, items.size(), err);
  }

  private static void writeItems(List<WorkItem> items, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (WorkItem item : items) {
        out.write(item.toJsonLine());
        out.write('\n');
      }
    }
  }

  private SweepOutcome runItems(int itemCount, Path work, int failureCount)
      throws IOException, InterruptedException {
    FlinkSweep sweep = new FlinkSweep(workers.place());
    interruption.expect(sweep::cancel);
    SweepJob job =
        new SweepJob(
            work.resolve("items.jsonl").toUri(),
            work.toUri(),
            Path.of("").toAbsolutePath().toString(),
            new RunnerWorkers(settings));
    try (SweepProgressBar progress = new SweepProgressBar(itemCount, failureCount)) {
      return sweep.run(job, progress);
    }
  }

  private static String line(FailedInput failure) {
    ItemResult failed =
        new Failed(
            new ItemId(failure.key(), failure.input(), List.of()),
            ExitCode.BAD_INPUT,
            failure.error(),
            List.of(),
            false);
    return failed.toJsonLine();
  }

  private int exitCode(SweepOutcome outcome, int itemCount, PrintWriter err) {
    long missing = itemCount - outcome.results().resultCount();
    if (interruption.signal().isPresent()) {
      err.printf(
          Locale.ROOT,
          "stowage: interrupted: %,d of %,d items have no result%n",
          missing,
          itemCount);
      return ExitCode.interrupted(interruption.signal().getAsInt());
    }
    if (outcome.failure().isPresent()) {
      err.println("stowage: " + outcome.failure().get().replace('\n', ' '));
    }
    if (missing > 0) {
      err.printf(
          Locale.ROOT,
          "stowage: the sweep ended early: %,d of %,d items have no result%n",
          missing,
          itemCount);
    }
    return missing > 0 || outcome.failure().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
  }
}
