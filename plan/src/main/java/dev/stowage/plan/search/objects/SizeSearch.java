package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.StepCounter;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A search for the smallest plan over the sizes of objects: the search decides the size of the
 * object of each record.
 *
 * <p>Lower bounds come from a relaxation with fractional records. They are much closer to the best
 * plan than the positional maximums, and often equal to it.
 */
public final class SizeSearch {

  /*
   * SizeGame approaches the value of the relaxation. From time to time, SizeBounds turns its weights
   * into an exact bound and closes choices of sizes that no plan of interest has. The search does
   * two things in turn:
   *
   *   tighten   closes choices for good that no plan smaller than the best one has. If a record has
   *             no choice left, the best plan is proved. Otherwise, the bound rises towards the
   *             value of the relaxation;
   *   dive      searches for a plan within a goal (SizeDive): the bound, or halfway between the
   *             bound and the best plan. If there is none, the bound exceeds the goal.
   */

  /**
   * The largest number of choices and of memberships in cliques. There are at most as many weights
   * as choices. All together take less than 100 MB.
   */
  private static final int MAX_ENTRIES = 1_000_000;

  /** The work of the first tightening, in steps of the relaxation. */
  private static final int TIGHTEN_STEPS = 1_500;

  /** The work of the first dive, in steps of the relaxation. */
  private static final int DIVE_STEPS = 1_000;

  /** The work of the tightening after it. */
  private static final int TIGHTEN_AFTER_DIVE_STEPS = 500;

  /** The visits of array elements that take as long as a node of the other searches. */
  private static final int VISITS_PER_NODE = 64;

  private final SizedRecords records;
  private Optional<SizeRelaxation> relaxation = Optional.empty();
  private Optional<SizeDive> dive = Optional.empty();
  private boolean isPrepared;
  private long prepareVisits;

  /** The visits at which the present tightening or dive ends. */
  private long turnEndVisits;

  private int diveCount;
  private long boundBytes;
  private long bestBytes = Long.MAX_VALUE;

  private SizeSearch(SizedRecords records) {
    this.records = records;
  }

  /** {@return a search; empty if it would take too much memory or its sums too many bits} */
  public static Optional<SizeSearch> of(ObjectRecords objectRecords) {
    if (objectRecords.count() == 0 || objectRecords.count() > MAX_ENTRIES / 10) {
      return Optional.empty();
    }
    SizedRecords records = new SizedRecords(objectRecords);
    return records.choiceCount() <= MAX_ENTRIES
            && records.membershipCount() <= MAX_ENTRIES
            && SizeBounds.admits(records)
        ? Optional.of(new SizeSearch(records))
        : Optional.empty();
  }

  /** {@return a lower bound in bytes} */
  public long boundBytes() {
    return boundBytes;
  }

  /** {@return the bytes of the smallest plan, found or given} */
  public long bestBytes() {
    return bestBytes;
  }

  /** {@return the object of each record in the smallest plan found, if any} */
  public Optional<int[]> objectIds() {
    return relaxation.flatMap(SizeRelaxation::best).map(SizedPlan::objectIds);
  }

  /** {@return the amount of work so far, in nodes of the other searches} */
  public long nodeCount() {
    return visitCount() / VISITS_PER_NODE;
  }

  private long visitCount() {
    return prepareVisits + relaxation.map(SizeRelaxation::visitCount).orElse(0L);
  }

  /**
   * Continues the search.
   *
   * @param smallestBytes the bytes of the smallest plan so far
   * @param goalBytes the search ends at a plan of at most this size
   * @param nodeLimit the approximate number of further nodes
   * @param stop true to give up; called from time to time
   */
  public void search(long smallestBytes, long goalBytes, long nodeLimit, BooleanSupplier stop) {
    bestBytes = Math.min(bestBytes, smallestBytes);
    long nodes = Math.min(nodeLimit, Long.MAX_VALUE / VISITS_PER_NODE / 2);
    long visitLimit = visitCount() + nodes * VISITS_PER_NODE;
    if (!isPrepared) {
      isPrepared = true;
      prepare();
    }
    if (relaxation.isPresent()) {
      StepCounter steps = new StepCounter(stop);
      SizeRelaxation.Outcome outcome = SizeRelaxation.Outcome.OPEN;
      while (boundBytes < bestBytes
          && bestBytes > goalBytes
          && visitCount() < visitLimit
          && outcome != SizeRelaxation.Outcome.STOPPED) {
        outcome = advance(relaxation.get(), goalBytes, steps);
        bestBytes = Math.min(bestBytes, relaxation.get().bestBytes());
      }
    }
  }

  /** {@return the largest possible size of a plan that is smaller than the best one} */
  private long smallerBytes() {
    return (bestBytes - 1) / records.unitBytes * records.unitBytes;
  }

  /** Closes choices by the positional maximums, and creates the relaxation if it is small. */
  private void prepare() {
    SizeChoices choices = SizeChoices.all(records);
    SizeBounds bounds = new SizeBounds(records);
    prepareVisits = 4 * records.choiceCount();
    long bound =
        bounds.tighten(
            bounds.positionalPrices(), choices, new SizeCliques(records, choices), smallerBytes());
    boundBytes = Math.min(bound, bestBytes);
    if (boundBytes < bestBytes) {
      SizeRelaxation created = new SizeRelaxation(records, choices.compact());
      turnEndVisits = prepareVisits + TIGHTEN_STEPS * created.stepVisits();
      relaxation = Optional.of(created);
    }
  }

  private SizeRelaxation.Outcome advance(
      SizeRelaxation relaxed, long goalBytes, StepCounter steps) {
    boolean isTurnOver = visitCount() >= turnEndVisits;
    if (dive.isPresent()) {
      return isTurnOver || dive.get().goalBytes() >= bestBytes
          ? endDive(dive.get())
          : advanceDive(dive.get(), steps);
    }
    return isTurnOver ? startDive(relaxed, goalBytes) : tighten(relaxed, steps);
  }

  private SizeRelaxation.Outcome tighten(SizeRelaxation relaxed, StepCounter steps) {
    SizeRelaxation.Outcome outcome = relaxed.advance(smallerBytes(), steps);
    relaxed.choices().commit();
    boundBytes =
        outcome == SizeRelaxation.Outcome.REFUTED
            ? bestBytes
            : Math.max(boundBytes, relaxed.boundBytes());
    return outcome;
  }

  private SizeRelaxation.Outcome startDive(SizeRelaxation relaxed, long goalBytes) {
    long largest = smallerBytes();
    long smallest = diveCount % 2 == 0 ? boundBytes : boundBytes + (largest - boundBytes) / 2;
    long goal = Math.clamp(goalBytes, smallest, largest);
    dive = Optional.of(new SizeDive(relaxed, goal - goal % records.unitBytes, diveCount));
    turnEndVisits = visitCount() + turnVisits(relaxed, DIVE_STEPS);
    return SizeRelaxation.Outcome.OPEN;
  }

  /** {@return the work of a turn: most turns are short, and some are longer than all before} */
  private long turnVisits(SizeRelaxation relaxed, long stepCount) {
    return Integer.lowestOneBit(diveCount + 1) * stepCount * relaxed.stepVisits();
  }

  private SizeRelaxation.Outcome advanceDive(SizeDive current, StepCounter steps) {
    SizeRelaxation.Outcome outcome = current.advance(steps);
    if (outcome == SizeRelaxation.Outcome.REFUTED) {
      boundBytes = Math.max(boundBytes, current.goalBytes() + records.unitBytes);
    }
    return outcome == SizeRelaxation.Outcome.REFUTED || outcome == SizeRelaxation.Outcome.FOUND
        ? endDive(current)
        : outcome;
  }

  private SizeRelaxation.Outcome endDive(SizeDive current) {
    current.end();
    dive = Optional.empty();
    turnEndVisits = visitCount() + turnVisits(relaxation.orElseThrow(), TIGHTEN_AFTER_DIVE_STEPS);
    diveCount++;
    return SizeRelaxation.Outcome.OPEN;
  }
}
