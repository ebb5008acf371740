package dev.stowage.plan.search.offsets;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Two searches of one partition. The exhaustive search may prove its plan; the local search seldom
 * stops far from the best plan.
 *
 * <p>A round of the exhaustive search takes long. It takes part in a round after the local search
 * has found no better plan for some rounds.
 */
final class CombinedPartitionSearch implements PartitionSearch {

  /** The rounds of the local search without a better plan before one of the exhaustive search. */
  private static final int PATIENCE_ROUNDS = 4;

  private final PartitionSearch exhaustive;
  private final PartitionSearch local;

  /** The rounds since the last better plan or the last round of the exhaustive search. */
  private int localRounds;

  CombinedPartitionSearch(PartitionSearch exhaustive, PartitionSearch local) {
    this.exhaustive = exhaustive;
    this.local = local;
  }

  @Override
  public long lowerBytes() {
    return Math.max(exhaustive.lowerBytes(), local.lowerBytes());
  }

  @Override
  public long upperBytes() {
    return better().upperBytes();
  }

  private PartitionSearch better() {
    return local.upperBytes() < exhaustive.upperBytes() ? local : exhaustive;
  }

  @Override
  public long nodes() {
    return exhaustive.nodes() + local.nodes();
  }

  @Override
  public void copyOffsets(long[] ofProblem) {
    better().copyOffsets(ofProblem);
  }

  @Override
  public Round nextRound(long goalBytes, BooleanSupplier stop) {
    Round first = local.nextRound(goalBytes, stop);
    Optional<Round> second =
        localRounds < PATIENCE_ROUNDS
            ? Optional.empty()
            : Optional.of(exhaustive.nextRound(goalBytes, stop));
    long before = upperBytes();
    return new Round() {
      @Override
      public List<Runnable> turns() {
        List<Runnable> turns = new ArrayList<>(first.turns());
        second.ifPresent(round -> turns.addAll(round.turns()));
        return turns;
      }

      @Override
      public void end() {
        first.end();
        second.ifPresent(Round::end);
        localRounds = second.isPresent() || upperBytes() < before ? 0 : localRounds + 1;
      }
    };
  }
}
