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
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explanation of one input: a conflict, the peaks, and the effects of options. */
final class ExplanationRun {

  /** The pairs of records of a problem that may lie in place of others. */
  private static final String IN_PLACE = "in_place_of";

  private static final String OPTIMAL = "--strategy " + MemoryStrategy.OPTIMAL;

  /** The time limit of a part if a number of nodes limits the searches for plans. */
  private static final Duration LIMIT_BESIDE_NODES = Duration.ofSeconds(10);

  private final PlanProblem problem;
  private final SearchOptions search;
  private final List<Alternative> alternatives;
  private final PlanProgress progress;
  private final Interruption interruption;
  private final long startNanos = System.nanoTime();
  private final List<OptionEffect> effects = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private int partsLeft;
  private boolean isInterrupted;

  /**
   * Creates a run, whose time begins.
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
    this.search = withoutCapacity(search);
    this.alternatives = alternatives;
    this.progress = progress;
    this.interruption = interruption;
  }

  private static SearchOptions withoutCapacity(SearchOptions search) {
    return SearchOptions.defaults()
        .withTimeLimit(timeLimit(search))
        .withNodeLimit(search.nodeLimit())
        .withThreads(search.threads());
  }

  /** {@return the time limit of a search; some parts of an explanation have no limit of nodes} */
  private static Duration timeLimit(SearchOptions search) {
    boolean isLongLimit =
        search.nodeLimit() < Long.MAX_VALUE && search.timeLimit().compareTo(LIMIT_BESIDE_NODES) > 0;
    return isLongLimit ? LIMIT_BESIDE_NODES : search.timeLimit();
  }

  /**
   * {@return the limits of the next part: an equal share of the time that is left, and at least a
   * twentieth of all time}
   */
  private SearchOptions nextShare() {
    Duration left = search.timeLimit().minusNanos(System.nanoTime() - startNanos);
    Duration share = left.dividedBy(Math.max(1, partsLeft--));
    Duration least = search.timeLimit().dividedBy(20);
    return search.withTimeLimit(share.compareTo(least) < 0 ? least : share);
  }

  /**
   * {@return the explanation}
   *
   * @param capacityBytes the bytes that no plan fits into
   * @param isSearched true if a search found a plan
   */
  Explanation run(long capacityBytes, Optional<OffsetsAssignment> best, boolean isSearched) {
    Explanation explanation = Explanation.of(problem, capacityBytes, Optional.empty());
    progress.phase("explanation");
    boolean hasPairs = isExplainedWithoutPairs();
    partsLeft =
        1 + (best.isEmpty() ? 0 : (isSearched ? 0 : 1) + (hasPairs ? 1 : 0) + alternatives.size());
    try {
      SearchOptions share = nextShare();
      Optional<CapacityConflict> conflict =
          interruption.run(() -> ConflictFinder.find(problem, capacityBytes, share));
      explanation = interruption.run(() -> Explanation.of(problem, capacityBytes, conflict));
      if (best.isPresent()) {
        addEffects(isSearched, best.get());
      }
    } catch (WorkInterruptedException e) {
      isInterrupted = true; // the explanation has the effects that are known
    }
    Explanation known = explanation.withEffects(effects);
    return isInterrupted ? known.cut() : known;
  }

  /** {@return sentences on alternatives that could not be planned} */
  List<String> notes() {
    return notes;
  }

  private void addEffects(boolean isSearched, OffsetsAssignment best) {
    OffsetsAssignment base = best;
    if (!isSearched) {
      progress.phase("effect of " + OPTIMAL);
      SearchResult<OffsetsAssignment> found = searched(problem, Optional.of(best));
      effects.add(effect(OPTIMAL, false, best, found));
      base = found.assignment(); // never larger, because the search starts from the best plan
    }
    if (!isInterrupted && isExplainedWithoutPairs()) {
      progress.phase("effect of " + IN_PLACE);
      PlanProblem apart = problem.withInPlace(List.of());
      effects.add(effect(IN_PLACE, true, base, searched(apart, Optional.empty())));
    }
    for (Alternative alternative : alternatives) {
      if (!isInterrupted) {
        add(alternative, base);
      }
    }
  }

  /** {@return true if the problem has pairs that are not the effect of an option} */
  private boolean isExplainedWithoutPairs() {
    return alternatives.stream().noneMatch(Alternative::isUsed)
        && !problem.usableInPlace().isEmpty();
  }

  private void add(Alternative alternative, OffsetsAssignment base) {
    String option = alternative.option();
    progress.phase("effect of " + option);
    try {
      switch (interruption.run(alternative.source()::read)) {
        case Alternative.Records(PlanProblem changed) ->
            effects.add(
                effect(
                    option,
                    alternative.isUsed(),
                    base,
                    searched(changed.withAlignment(problem.alignment()), Optional.empty())));
        case Alternative.Orders(OrderedModel model) -> {
          OrderComparison found =
              new OrderRunner(problem.alignment(), nextShare(), interruption)
                  .run(model, problem, base);
          isInterrupted |= interruption.isInterrupted();
          effects.add(
              new OptionEffect(
                  option,
                  false,
                  base.totalBytes(),
                  found.after().bytes(),
                  found.lowerBoundBytes()));
        }
      }
    } catch (IOException | InputRefusedException e) {
      notes.add(Text.of("no effect of %s: %s", option, e.getMessage()));
    }
  }

  private SearchResult<OffsetsAssignment> searched(
      PlanProblem changed, Optional<OffsetsAssignment> start) {
    OffsetsSearch begun = OffsetsSearch.of(changed, nextShare());
    SearchResult<OffsetsAssignment> result =
        interruption.run(
            () -> {
              start.ifPresent(begun::offer);
              return begun.run();
            },
            begun::cancel);
    isInterrupted |= interruption.isInterrupted();
    return result;
  }

  private static OptionEffect effect(
      String option,
      boolean isUsed,
      OffsetsAssignment base,
      SearchResult<OffsetsAssignment> found) {
    return new OptionEffect(
        option,
        isUsed,
        base.totalBytes(),
        found.assignment().totalBytes(),
        found.lowerBoundBytes());
  }
}
