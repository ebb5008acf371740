package dev.stowage.plan.banks;

import java.util.Arrays;
import java.util.Locale;

/** A bank and an offset in it for every record, in the order of the problem. */
public final class BankedAssignment {

  private final int[] banks;
  private final long[] offsets;
  private final long[] bankBytes;
  private final long cost;

  /** Creates an assignment that keeps the arrays. */
  private BankedAssignment(int[] banks, long[] offsets, long[] bankBytes, long cost) {
    this.banks = banks;
    this.offsets = offsets;
    this.bankBytes = bankBytes;
    this.cost = cost;
  }

  /**
   * {@return an assignment}
   *
   * @param banks the index of the bank of each record
   * @param offsets the start of each record in its bank, in bytes
   * @param bankBytes the bytes used of each bank: the largest end of its records
   * @param cost the sum of the costs of all records
   * @throws IllegalArgumentException if {@code banks.length != offsets.length}
   */
  public static BankedAssignment of(int[] banks, long[] offsets, long[] bankBytes, long cost) {
    if (banks.length != offsets.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there must be a bank and an offset for each record: banks=%d, offsets=%d",
              banks.length,
              offsets.length));
    }
    return new BankedAssignment(banks.clone(), offsets.clone(), bankBytes.clone(), cost);
  }

  /**
   * {@return an assignment of offsets, with the bytes that they use and their cost}
   *
   * @param problem the records and the banks
   * @param banks the index of the bank of each record
   * @param offsets the start of each record in its bank, in bytes
   */
  public static BankedAssignment of(BankedProblem problem, int[] banks, long[] offsets) {
    long[] bankBytes = new long[problem.banks().size()];
    long cost = 0;
    for (int i = 0; i < banks.length; i++) {
      int bank = banks[i];
      bankBytes[bank] =
          Math.max(bankBytes[bank], offsets[i] + problem.problem().records().get(i).bytes());
      cost += problem.movedBytes(i) * problem.banks().get(bank).cost();
    }
    return of(banks, offsets, bankBytes, cost);
  }

  /** {@return the number of records} */
  public int recordCount() {
    return banks.length;
  }

  /**
   * {@return the index of the bank of a record}
   *
   * @param record an index into the problem's records
   */
  public int bank(int record) {
    return banks[record];
  }

  /** {@return a copy of the banks of all records} */
  public int[] banks() {
    return banks.clone();
  }

  /**
   * {@return the start of a record, in bytes from the start of its bank}
   *
   * @param record an index into the problem's records
   */
  public long offset(int record) {
    return offsets[record];
  }

  /** {@return a copy of all offsets} */
  public long[] offsets() {
    return offsets.clone();
  }

  /** {@return the bytes used of each bank, in the order of the banks} */
  public long[] bankBytes() {
    return bankBytes.clone();
  }

  /**
   * {@return the sum over all records of {@code bytes × (1 + reads)} times the cost of the bank}
   */
  public long cost() {
    return cost;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BankedAssignment that
        && cost == that.cost
        && Arrays.equals(banks, that.banks)
        && Arrays.equals(offsets, that.offsets)
        && Arrays.equals(bankBytes, that.bankBytes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(banks) + Arrays.hashCode(offsets)) + Long.hashCode(cost);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BankedAssignment[cost=%d, bankBytes=%s, banks=%s, offsets=%s]",
        cost,
        Arrays.toString(bankBytes),
        Arrays.toString(banks),
        Arrays.toString(offsets));
  }
}
