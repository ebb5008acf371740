package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A search for a plan within a goal that decides the sizes of some records at a time. */
final class SizeDive {

  /*
   * After some steps of the relaxation, the dive gives records with nearly whole shares the sizes of
   * these shares. If no plan within the goal is left, it takes back half of the last decisions, or
   * closes the choice if there was only one decision. It ends with a plan or when no decision is
   * left to take back.
   */

  private static final int CHECKS_PER_DECISION = 3;

  /** The largest part of a share that a dive ignores, so that no two dives are the same. */
  private static final double NOISE = 0.1;

  /** Records with at least this share are decided together. */
  private static final double DECIDED_SHARE = 0.95;

  /** At least one in this number of undecided records is decided at a time. */
  private static final int DECIDED_DIVISOR = 10;

  /** Decisions that can be taken back: a choice for each of some records. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Decisions(int mark, int[] records, int[] choices) {

    int count() {
      return records.length;
    }
  }

  private final SizeRelaxation relaxation;
  private final SizeChoices choices;
  private final long goalBytes;
  private final int mark;
  private final Deque<Decisions> taken = new ArrayDeque<>();
  private final SplittableRandom random;
  private int checkCount;

  /** Creates a dive, which changes the open choices of the relaxation until {@link #end}. */
  SizeDive(SizeRelaxation relaxation, long goalBytes, long seed) {
    random = new SplittableRandom(seed);
    this.relaxation = relaxation;
    this.goalBytes = goalBytes;
    choices = relaxation.choices();
    mark = choices.mark();
    relaxation.restart();
  }

  long goalBytes() {
    return goalBytes;
  }

  /** Opens the choices that the dive closed. */
  void end() {
    choices.undoTo(mark);
    relaxation.restart();
  }

  /** Advances the relaxation, takes decisions or takes them back. */
  SizeRelaxation.Outcome advance(StepCounter steps) {
    SizeRelaxation.Outcome outcome = relaxation.advance(goalBytes, steps);
    if (outcome == SizeRelaxation.Outcome.OPEN && ++checkCount == CHECKS_PER_DECISION) {
      decide(undecided());
    } else if (outcome == SizeRelaxation.Outcome.REFUTED && !taken.isEmpty()) {
      takeBack(taken.pop());
      return SizeRelaxation.Outcome.OPEN;
    }
    return outcome;
  }

  /** {@return the undecided records and their largest shares, the largest first} */
  private Decisions undecided() {
    int[] open =
        IntStream.range(0, choices.recordCount()).filter(r -> choices.open(r).length > 1).toArray();
    int[] largest = Arrays.stream(open).map(this::choiceOfLargestShare).toArray();
    int[] order =
        IndexOrder.descending(
            open.length,
            k ->
                (long)
                    (1e9
                        * relaxation.share(open[k], largest[k])
                        * (1 - NOISE * random.nextDouble())));
    return new Decisions(
        choices.mark(),
        Arrays.stream(order).map(k -> open[k]).toArray(),
        Arrays.stream(order).map(k -> largest[k]).toArray());
  }

  private int choiceOfLargestShare(int record) {
    int found = choices.open(record)[0];
    for (int choice : choices.open(record)) {
      found = relaxation.share(record, choice) > relaxation.share(record, found) ? choice : found;
    }
    return found;
  }

  /** Decides the records with nearly whole shares, and some more. */
  private void decide(Decisions possible) {
    int count = 1;
    while (count < possible.count()
        && (count < possible.count() / DECIDED_DIVISOR
            || relaxation.share(possible.records[count], possible.choices[count])
                >= DECIDED_SHARE)) {
      count++;
    }
    take(possible, count);
  }

  /** Takes the first decisions. */
  private void take(Decisions possible, int count) {
    taken.push(
        new Decisions(
            possible.mark,
            Arrays.copyOf(possible.records, count),
            Arrays.copyOf(possible.choices, count)));
    for (int k = 0; k < count; k++) {
      choices.keep(possible.records[k], new int[] {possible.choices[k]});
    }
    restart();
  }

  /** Takes half of the decisions back, or excludes the only one. */
  private void takeBack(Decisions decisions) {
    choices.undoTo(decisions.mark);
    if (decisions.count() > 1) {
      take(decisions, decisions.count() / 2);
    } else {
      choices.close(decisions.records[0], decisions.choices[0]);
      restart();
    }
  }

  private void restart() {
    checkCount = 0;
    relaxation.restart();
  }
}
