package dev.stowage.cli.plan;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.ConflictFinder;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explanation of one input: a conflict, the peaks, and the effects of options. */
final class ExplanationRun {

  /** The time limit of the parts if a number of nodes limits the searches for plans. */
  private static final Duration LIMIT_BESIDE_NODES = Duration.ofSeconds(10);

  private final PlanProblem problem;
  private final SearchOptions search;
  private final List<Alternative> alternatives;
  private final PlanProgress progress;
  private final Interruption interruption;
  private final List<OptionEffect> effects = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * Creates a run.
   *
   * @param problem the records, with the alignment of the user
   * @param search the limits of a search; the parts of the explanation share its time
   * @param interruption ends the explanation with the parts that are finished
   */
  ExplanationRun(
      PlanProblem problem,
      SearchOptions search,
      List<Alternative> alternatives,
      PlanProgress progress,
      Interruption interruption) {
    this.problem = problem;
    this.alternatives = alternatives;
    this.progress = progress;
    this.interruption = interruption;
    // Some parts of an explanation have no limit of nodes.
    boolean isLongLimit =
        search.nodeLimit() < Long.MAX_VALUE && search.timeLimit().compareTo(LIMIT_BESIDE_NODES) > 0;
    Duration limit = isLongLimit ? LIMIT_BESIDE_NODES : search.timeLimit();
    this.search =
        SearchOptions.defaults()
            .withTimeLimit(limit.dividedBy(alternatives.size() + 1L))
            .withNodeLimit(search.nodeLimit())
            .withThreads(search.threads());
  }

  /**
   * {@return the explanation}
   *
   * @param capacityBytes the bytes that no plan fits into
   * @param best the best plan, with which the effects of options are compared; empty if no search
   *     found one
   */
  Explanation run(long capacityBytes, Optional<OffsetsAssignment> best) {
    progress.phase("explanation");
    Optional<CapacityConflict> conflict = Optional.empty();
    try {
      conflict = interruption.run(() -> ConflictFinder.find(problem, capacityBytes, search));
      if (best.isPresent()) {
        for (Alternative alternative : alternatives) {
          add(alternative, best.get());
        }
      }
    } catch (WorkInterruptedException e) {
      // the explanation has the effects that are known
    }
    return Explanation.of(problem, capacityBytes, conflict, effects);
  }

  /** {@return sentences on alternatives that could not be planned} */
  List<String> notes() {
    return notes;
  }

  private void add(Alternative alternative, OffsetsAssignment best) {
    if (interruption.isInterrupted()) {
      throw new WorkInterruptedException();
    }
    String option = alternative.option();
    progress.phase("effect of " + option);
    try {
      switch (interruption.run(alternative.source()::read)) {
        case Alternative.Records(PlanProblem changed) -> {
          OffsetsSearch begun =
              OffsetsSearch.of(changed.withAlignment(problem.alignment()), search);
          SearchResult<OffsetsAssignment> found = interruption.run(begun::run, begun::cancel);
          add(alternative, best, found.assignment().totalBytes(), found.lowerBoundBytes());
        }
        case Alternative.Orders(OrderedModel model) -> {
          OrderComparison found =
              new OrderRunner(problem.alignment(), search, interruption).run(model, problem, best);
          add(alternative, best, found.after().bytes(), found.lowerBoundBytes());
        }
      }
    } catch (IOException e) {
      notes.add(Text.of("no effect of %s: %s", option, e.getMessage()));
    }
  }

  private void add(
      Alternative alternative, OffsetsAssignment best, long bytes, long lowerBoundBytes) {
    effects.add(
        new OptionEffect(
            alternative.option(), alternative.isUsed(), best.totalBytes(), bytes, lowerBoundBytes));
  }
}
