package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.plan.PlanProgress;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Plans models, and runs them in planned memory.
 *
 * @param strategy the strategy; empty for the default one
 * @param timeLimit the limit for a model, if there is one
 * @param seed the seed of the values of the inputs
 * @param stop returns true to end the verification; any thread calls it between operators
 * @param notes receives sentences for the user
 */
public record VerifyRunner(
    OnnxOptions options,
    Optional<MemoryStrategy> strategy,
    Optional<Duration> timeLimit,
    long seed,
    Progress progress,
    BooleanSupplier stop,
    Consumer<String> notes) {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);

  /**
   * The result of a run of a model in planned memory.
   *
   * @param input the file as on the command line
   * @param naiveBytes the bytes of all records without sharing
   * @param strategy the strategy that planned the arena
   * @param report the outputs, and the engine's own memory
   */
  public record Result(
      String input,
      int operatorCount,
      int recordCount,
      long naiveBytes,
      long lowerBoundBytes,
      String strategy,
      VerificationReport report) {}

  /** The listener for the progress of a verification. */
  public interface Progress extends PlanProgress {

    /**
     * Called before the engine runs the whole model.
     *
     * @param operatorCount the number of operators; they then run in planned memory
     */
    void runningWhole(int operatorCount);

    /**
     * Called during the run in planned memory. After it, the engine runs the whole model again.
     *
     * @param doneCount the number of operators that have run, first 0
     */
    void running(int doneCount);
  }

  /**
   * {@return the result for a model}
   *
   * @throws MalformedFileException if the file is not a model, or if the engine rejects it
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ended the verification
   */
  public Result run(String path) throws IOException {
    progress.phase("the model");
    ModelVerification model =
        ModelVerification.load(ExistingFile.regular(path), options, seed, stop, progress::running);
    model.notes().forEach(notes);
    PlanProblem problem = model.problem().withAlignment(ModelVerification.ALIGNMENT_BYTES);
    if (problem.records().isEmpty()) {
      notes.accept(
          "nothing is planned: no tensor between two operators has any bytes; --io also plans inputs and outputs");
    }
    MemoryStrategy chosen = strategy.orElse(MemoryStrategy.OPTIMAL);
    progress.planning(chosen);
    Optional<SearchResult<OffsetsAssignment>> found =
        chosen == MemoryStrategy.OPTIMAL ? Optional.of(search(problem)) : Optional.empty();
    OffsetsAssignment plan =
        found.map(SearchResult::assignment).orElseGet(() -> PlanRunner.offsets(chosen, problem));
    progress.runningWhole(model.operatorCount());
    VerificationReport report = model.run(plan);
    report.notes().forEach(notes);
    return new Result(
        path,
        model.operatorCount(),
        problem.records().size(),
        problem.naiveBytes(),
        Math.max(
            found.map(SearchResult::lowerBoundBytes).orElse(0L),
            LowerBounds.of(problem).offsetsBytes()),
        chosen.name(),
        report);
  }

  private SearchResult<OffsetsAssignment> search(PlanProblem problem) {
    Duration limit = timeLimit.filter(it -> it.compareTo(SEARCH_LIMIT) < 0).orElse(SEARCH_LIMIT);
    return OffsetsSearch.of(problem, PlanSelection.search(limit).withProgress(progress::searching))
        .run();
  }
}
