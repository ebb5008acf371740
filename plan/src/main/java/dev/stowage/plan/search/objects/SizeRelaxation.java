package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.StepCounter;
import java.util.Optional;

/** The relaxation of a problem with its open choices, which steps make smaller. */
final class SizeRelaxation {

  /** The state after some steps. */
  enum Outcome {
    /** There may be a plan within the goal. */
    OPEN,
    /** No plan within the goal is left. */
    REFUTED,
    /** The smallest plan is within the goal. */
    FOUND,
    /** The caller ended the steps. */
    STOPPED
  }

  private static final int STEPS_PER_CHECK = 20;

  /** The number of steps that take as long as a check. */
  private static final int CHECK_STEPS = 8;

  /** The number of counted steps of a {@link StepCounter} that take as long as a visit. */
  private static final int COUNTS_PER_VISIT = 4;

  private final SizedRecords records;
  private final SizeChoices choices;
  private final SizeCliques cliques;
  private final SizeBounds bounds;
  private final SizeGame game;
  private long boundBytes;
  private Optional<SizedPlan> best = Optional.empty();
  private long visitCount;

  SizeRelaxation(SizedRecords records, SizeChoices choices) {
    this.records = records;
    this.choices = choices;
    bounds = new SizeBounds(records);
    cliques = new SizeCliques(records, choices);
    game = new SizeGame(records, choices, cliques);
  }

  SizeChoices choices() {
    return choices;
  }

  /** {@return the average share of a choice} */
  double share(int record, int choice) {
    return game.averageShare(record, choice);
  }

  /**
   * {@return the bound that the last call of {@link #advance} found for plans with open choices; 0
   * if none}
   */
  long boundBytes() {
    return boundBytes;
  }

  /** {@return the smallest plan found, if any} */
  Optional<SizedPlan> best() {
    return best;
  }

  long bestBytes() {
    return best.map(SizedPlan::bytes).orElse(Long.MAX_VALUE);
  }

  /** {@return the number of array elements visited so far} */
  long visitCount() {
    return visitCount;
  }

  /** {@return the number of array elements that a step visits} */
  long stepVisits() {
    return game.stepVisits();
  }

  /** Adapts to choices that were opened or closed. */
  void restart() {
    game.restart();
  }

  /** Runs some steps, then closes the choices that no plan within the goal can have. */
  Outcome advance(long goalBytes, StepCounter steps) {
    boundBytes = 0;
    long visits = game.stepVisits();
    visitCount += (STEPS_PER_CHECK + CHECK_STEPS) * visits;
    for (int k = 0; k < STEPS_PER_CHECK; k++) {
      game.step();
      if (steps.isStopped(COUNTS_PER_VISIT * visits)) {
        return Outcome.STOPPED;
      }
    }
    if (steps.isStopped(COUNTS_PER_VISIT * CHECK_STEPS * visits)) {
      return Outcome.STOPPED;
    }
    if (isRefuted(game.averageWeights(), goalBytes) || isRefuted(game.weights(), goalBytes)) {
      return Outcome.REFUTED;
    }
    keepSmaller(new SizedPlan(records, game.lastSizes()));
    boolean isDecided = choices.openCount() == records.count();
    return bestBytes() <= goalBytes ? Outcome.FOUND : isDecided ? Outcome.REFUTED : Outcome.OPEN;
  }

  /** Closes choices and {@return true if no plan within the goal is left} */
  private boolean isRefuted(double[][] weights, long goalBytes) {
    int mark = choices.mark();
    long bound =
        bounds.tighten(bounds.prices(weights, choices, cliques), choices, cliques, goalBytes);
    if (bound > goalBytes) {
      return true;
    }
    boundBytes = Math.max(boundBytes, bound);
    game.adapt(choices.changedAfter(mark));
    return false;
  }

  private void keepSmaller(SizedPlan plan) {
    if (plan.bytes() < bestBytes()) {
      best = Optional.of(plan);
    }
  }
}
