package dev.stowage.cli.tune;

import dev.stowage.cli.netty.NettyLimit;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.cli.tune.TuningReport.Hindsight;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.trace.tune.TraceTuning;
import dev.stowage.trace.tune.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** Runs the replays of one search in several threads, and plans the lifetimes at the same time. */
public final class TuningRunner {

  /*
   * The plan has a limit of nodes, so that its result does not depend on the speed of the machine,
   * and a limit of time for the rare trace with expensive nodes.
   */

  private static final long PLAN_NODES = 20_000;
  private static final Duration PLAN_LIMIT = Duration.ofSeconds(15);

  /** The number of records above which even the first plan may take long. */
  private static final int MOST_PLANNED_RECORDS = 100_000;

  private final TuningRequest request;
  private final TuningInput input;
  private final TraceTuning tuning;
  private final IntConsumer progress;
  private final long startNanos = System.nanoTime();
  private final AtomicBoolean isCancelled = new AtomicBoolean();
  private final Map<String, Double> seconds = new ConcurrentHashMap<>();
  private Optional<OffsetsSearch> search = Optional.empty();

  /**
   * Creates a runner.
   *
   * @param tuning the search
   * @param progress gets the number of replays that ended, after each one, from any thread
   */
  public TuningRunner(
      TuningRequest request, TuningInput input, TraceTuning tuning, IntConsumer progress) {
    this.request = request;
    this.input = input;
    this.tuning = tuning;
    this.progress = progress;
  }

  /**
   * {@return the results of the search; if time or a signal ends it, the results so far}
   *
   * @throws WorkInterruptedException if a signal arrived before the first replay ended
   */
  public TuningReport run(Interruption interruption) {
    TuningReport report = interruption.run(this::all, this::cancel);
    if (report.results().isEmpty() && interruption.isInterrupted()) {
      throw new WorkInterruptedException();
    }
    return report;
  }

  private synchronized void cancel() {
    isCancelled.set(true);
    search.ifPresent(OffsetsSearch::cancel);
  }

  /** {@return true if the search is to end; the baseline is replayed in any case} */
  private boolean isOver() {
    return isCancelled.get()
        || (request.timeLimit().isPresent()
            && tuning.doneCount() > 0
            && System.nanoTime() - startNanos > request.timeLimit().get().toNanos());
  }

  private TuningReport all() {
    request.agreement(input); // throws if no settings can be compared
    int threadCount = Runtime.getRuntime().availableProcessors();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            threadCount, work -> Thread.ofPlatform().daemon().name("stowage-tune").unstarted(work));
    try {
      Future<Optional<Hindsight>> plan = threads.submit(() -> hindsight());
      List<Future<?>> replays = new ArrayList<>();
      for (int i = 0; i < threadCount; i++) {
        replays.add(threads.submit(this::replayAll));
      }
      for (Future<?> replay : replays) {
        replay.get();
      }
      return report(plan.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkInterruptedException();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Error error -> throw error;
        case RuntimeException unchecked -> throw unchecked;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private TuningReport report(Optional<Hindsight> hindsight) {
    List<TuningReport.Row> rows =
        tuning.results().stream()
            .map(trial ->
                new TuningReport.Row(
                    trial, seconds.getOrDefault(trial.candidate().settings(), 0.0)))
            .toList();
    Optional<NettyLimit> smallestLimit =
        rows.isEmpty() || !tuning.isComplete()
            ? Optional.empty()
            : request.smallestLimit(input, TuningReport.recommended(rows).candidate());
    return new TuningReport(input, request, tuning, rows, hindsight, smallestLimit);
  }

  private void replayAll() {
    Optional<TraceTuning.Replay> replay = tuning.next();
    while (replay.isPresent() && !isOver()) {
      long start = System.nanoTime();
      Optional<Trial> trial = replay.get().run(this::isOver);
      double taken = (System.nanoTime() - start) / 1e9;
      trial.ifPresent(made -> seconds.put(made.candidate().settings(), taken));
      progress.accept(tuning.doneCount());
      replay = tuning.next();
    }
  }

  private Optional<Hindsight> hindsight() {
    return input
        .trace()
        .lifetimes()
        .filter(problem -> problem.records().size() <= MOST_PLANNED_RECORDS)
        .flatMap(this::hindsight);
  }

  private Optional<Hindsight> hindsight(PlanProblem problem) {
    Duration limit =
        request.timeLimit().filter(given -> given.compareTo(PLAN_LIMIT) < 0).orElse(PLAN_LIMIT);
    OffsetsSearch started =
        OffsetsSearch.of(
            problem, SearchOptions.defaults().withNodeLimit(PLAN_NODES).withTimeLimit(limit));
    synchronized (this) {
      search = Optional.of(started);
      if (isCancelled.get()) {
        return Optional.empty();
      }
    }
    SearchResult<OffsetsAssignment> result = started.run();
    return Optional.of(new Hindsight(result.assignment().totalBytes(), result.lowerBoundBytes()));
  }
}
