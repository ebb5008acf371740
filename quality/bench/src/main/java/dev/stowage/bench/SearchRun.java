package dev.stowage.bench;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchProgress;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A search for the smallest arena, and its progress.
 *
 * @param name the name of the records
 * @param records the number of records
 * @param loadBytes the largest sum of live bytes
 * @param greedyBytes the smaller plan of the two greedy strategies of offsets
 * @param steps each smaller arena, with its time
 * @param result the result of the search
 * @param seconds the time of the search
 */
record SearchRun(
    String name,
    int records,
    long loadBytes,
    long greedyBytes,
    List<SearchProgress> steps,
    SearchResult<OffsetsAssignment> result,
    double seconds) {

  /** Runs a search and checks the plan. */
  static SearchRun of(String source, Duration limit, int threads) throws IOException {
    PlanProblem problem = PlanProblem.of(BenchmarkRecords.of(source));
    long greedyBytes =
        Math.min(
            MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes(),
            MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes());
    List<SearchProgress> steps = new ArrayList<>();
    SearchOptions options =
        SearchOptions.defaults()
            .withTimeLimit(limit)
            .withThreads(threads)
            .withProgress(progress -> {
              if (steps.isEmpty() || progress.bestBytes() < steps.getLast().bestBytes()) {
                steps.add(progress);
              }
            });
    long start = System.nanoTime();
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, options).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    AssignmentChecker.violation(problem, result.assignment())
        .ifPresent(violation -> {
          throw new AssertionError(source + ": " + violation);
        });
    return new SearchRun(
        String.valueOf(Path.of(source).getFileName()),
        problem.records().size(),
        LowerBounds.of(problem).offsetsBytes(),
        greedyBytes,
        steps,
        result,
        seconds);
  }

  /** {@return the distance of an arena from the largest sum of live bytes, in percent} */
  double percentAbove(long bytes) {
    return 100.0 * (bytes - loadBytes) / loadBytes;
  }

  /** {@return the time of the first arena within a thousandth of the load} */
  OptionalDouble secondsToOneThousandth() {
    return steps.stream()
        .filter(step -> percentAbove(step.bestBytes()) <= 0.1)
        .mapToDouble(step -> step.elapsed().toNanos() / 1e9)
        .findFirst();
  }

  /** {@return the distance of the best arena after some time from the load, in percent} */
  double percentAfter(double seconds) {
    long bytes = greedyBytes;
    for (SearchProgress step : steps) {
      if (step.elapsed().toNanos() / 1e9 <= seconds) {
        bytes = Math.min(bytes, step.bestBytes());
      }
    }
    return percentAbove(bytes);
  }
}
