package dev.stowage.bench;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.bounds.LowerBounds;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.search.OffsetsSearch;
import dev.stowage.core.plan.search.OffsetsSearchResult;
import dev.stowage.core.plan.search.SearchOptions;
import dev.stowage.core.plan.search.SearchProgress;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One search for the smallest arena, and how it came about.
 *
 * @param name of the records
 * @param records how many there are
 * @param loadBytes the largest sum of live bytes
 * @param greedyBytes the smaller plan of the two greedy strategies of offsets
 * @param steps each smaller arena, and when it was found
 * @param result what the search ended with
 * @param seconds how long it took
 */
record SearchRun(
    String name,
    int records,
    long loadBytes,
    long greedyBytes,
    List<SearchProgress> steps,
    OffsetsSearchResult result,
    double seconds) {

  /** Searches, and checks the plan. */
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
    OffsetsSearchResult result = OffsetsSearch.of(problem, options).run();
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

  /** {@return by how many percent an arena is above the largest sum of live bytes} */
  double percentAbove(long bytes) {
    return 100.0 * (bytes - loadBytes) / loadBytes;
  }

  /** {@return when the first arena was found that is within a thousandth of the load} */
  OptionalDouble secondsToOneThousandth() {
    return steps.stream()
        .filter(step -> percentAbove(step.bestBytes()) <= 0.1)
        .mapToDouble(step -> step.elapsed().toNanos() / 1e9)
        .findFirst();
  }

  /** {@return by how many percent the best arena after some time was above the load} */
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
