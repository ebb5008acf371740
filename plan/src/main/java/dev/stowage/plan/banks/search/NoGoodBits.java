package dev.stowage.plan.banks.search;

import java.util.BitSet;

/**
 * A bit for each no-good, from the step of its first record to that of its last one, as long as
 * there are bits. A state has the bit if all records of the no-good so far are in its bank.
 */
final class NoGoodBits {

  private final int[] stepOf;
  private final int bankCount;
  private final long[][] startBits;
  private final long[][] clearedBits;
  private final long[] lastBits;

  /**
   * Creates the bits.
   *
   * @param stepOf the step of each record, or -1
   */
  NoGoodBits(NoGoods noGoods, int[] stepOf, int stepCount, int bankCount) {
    this.stepOf = stepOf;
    this.bankCount = bankCount;
    startBits = new long[stepCount][bankCount];
    clearedBits = new long[stepCount][bankCount];
    lastBits = new long[stepCount];
    long[] taken = new long[stepCount];
    for (int bank = 0; bank < bankCount; bank++) {
      for (BitSet set : noGoods.of(bank)) {
        setBit(bank, set, taken);
      }
      for (BitSet set : noGoods.assumed(bank)) {
        setBit(bank, set, taken);
      }
    }
  }

  private void setBit(int bank, BitSet set, long[] taken) {
    int[] members = set.stream().map(i -> stepOf[i]).filter(k -> k >= 0).sorted().toArray();
    if (members.length == 0) {
      return;
    }
    int first = members[0];
    int last = members[members.length - 1];
    long used = 0;
    for (int k = first; k <= last; k++) {
      used |= taken[k];
    }
    long bit = Long.lowestOneBit(~used);
    for (int k = first; k <= last; k++) {
      taken[k] |= bit;
    }
    startBits[first][bank] |= bit;
    lastBits[last] |= bit;
    for (int k : members) {
      for (int other = 0; other < bankCount; other++) {
        if (other != bank) {
          clearedBits[k][other] |= bit;
        }
      }
    }
  }

  /**
   * {@return the bits of a state after a step}
   *
   * @param alive the bits before the step
   * @param bank the bank of the record of the step
   */
  long after(int step, int bank, long alive) {
    return (alive & ~clearedBits[step][bank]) | startBits[step][bank];
  }

  /** {@return true if all records of a no-good that ends at a step are in its bank} */
  boolean isViolated(int step, long alive) {
    return (alive & lastBits[step]) != 0;
  }
}
