package dev.stowage.bench;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A run of workloads with all available allocators. Notes have the reasons why others are missing.
 *
 * <p>The allocators of a workload run one after the other, each in a process of its own, so that
 * other load on the machine affects the ratios little.
 */
final class ComparisonRun {

  private final PrintStream progress;
  private final Options options;
  private final Function<Peer, Optional<String>> absence;
  private final ComparisonTable table = new ComparisonTable();

  /**
   * Creates a run with the allocators of this machine.
   *
   * @param progress receives the name of each workload
   * @param options the common options of all benchmarks
   */
  ComparisonRun(PrintStream progress, Options options) {
    this(progress, options, Peer::absence);
  }

  /**
   * Creates a run.
   *
   * @param absence the reason why an allocator is missing, with the remedy; empty if it is present
   */
  ComparisonRun(PrintStream progress, Options options, Function<Peer, Optional<String>> absence) {
    this.progress = progress;
    this.options = options;
    this.absence = absence;
  }

  /** Runs all workloads and {@return their table} */
  ComparisonTable table(List<AllocatorCase> cases) {
    for (AllocatorCase asked : cases) {
      Map<Peer, Timing> timings = new EnumMap<>(Peer.class);
      for (Peer peer : Peer.values()) {
        timing(asked, peer).ifPresent(timing -> timings.put(peer, timing));
      }
      table.addColumn(asked.title(), timings);
    }
    return table;
  }

  private Optional<Timing> timing(AllocatorCase asked, Peer peer) {
    Optional<String> remedy = absence.apply(peer);
    if (remedy.isPresent()) {
      table.addNote(String.format(Locale.ROOT, "%s is missing: %s.", peer.title(), remedy.get()));
      return Optional.empty();
    }
    Optional<String> objection = peer.objection(asked.zeroedBytes());
    if (objection.isPresent()) {
      table.addNote(
          String.format(
              Locale.ROOT,
              "%s is skipped in %s: %s.",
              peer.title(),
              asked.title(),
              objection.get()));
      return Optional.empty();
    }
    progress.printf("%s: %s%n", asked.title(), peer.title());
    try {
      return Optional.of(
          Timing.of(new Runner(options(asked, peer)).runSingle(), asked.operations()));
    } catch (RunnerException e) {
      table.addNote(
          String.format(
              Locale.ROOT, "%s failed in %s: %s.", peer.title(), asked.title(), cause(e)));
      return Optional.empty();
    }
  }

  private Options options(AllocatorCase asked, Peer peer) {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(options)
            .include("\\b" + asked.benchmark().getSimpleName() + "\\.")
            .param("peer", peer.name())
            .threads(asked.threads())
            // The throughputs of threads can be added, unlike their times.
            .mode(Mode.Throughput)
            .timeUnit(TimeUnit.MICROSECONDS)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    asked.parameters().forEach(builder::param);
    if (asked.threads() > 1) {
      // Long enough to schedule all threads on few cores.
      builder.measurementIterations(10).measurementTime(TimeValue.milliseconds(100));
    }
    return builder.build();
  }

  private static String cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString();
  }
}
