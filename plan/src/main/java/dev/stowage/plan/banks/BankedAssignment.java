package dev.stowage.plan.banks;

import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** A bank and an offset in it for every record, in the order of the problem. */
public final class BankedAssignment {

  private final int[] banks;
  private final long[] offsets;
  private final long[] bankBytes;
  private final long cost;

  private BankedAssignment(int[] banks, long[] offsets, long[] bankBytes, long cost) {
    this.banks = banks;
    this.offsets = offsets;
    this.bankBytes = bankBytes;
    this.cost = cost;
  }

  /**
   * {@return an assignment, with the bytes that it uses and its cost}
   *
   * @param problem the records and the banks
   * @param banks the index of the bank of each record
   * @param offsets the start of each record in its bank, in bytes
   * @throws IllegalArgumentException if there is not one bank and one offset for each record
   * @throws IndexOutOfBoundsException if a bank is not one of the problem
   */
  public static BankedAssignment of(BankedProblem problem, int[] banks, long[] offsets) {
    int records = problem.recordCount();
    if (banks.length != records || offsets.length != records) {
      throw Message.illegalArgument(
          "there must be a bank and an offset for each record: records=%d, banks=%d, offsets=%d",
          records, banks.length, offsets.length);
    }
    long[] bankBytes = new long[problem.banks().size()];
    long cost = 0;
    for (int i = 0; i < records; i++) {
      int bank = Objects.checkIndex(banks[i], bankBytes.length);
      long end = offsets[i] + problem.problem().records().get(i).bytes();
      bankBytes[bank] = Math.max(bankBytes[bank], end);
      cost += problem.movedBytes(i) * problem.banks().get(bank).cost();
    }
    return new BankedAssignment(banks.clone(), offsets.clone(), bankBytes, cost);
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
   * {@return the indices of the records in a bank, ascending}
   *
   * @param bank the index of the bank
   */
  public List<Integer> members(int bank) {
    return IntStream.range(0, banks.length).filter(i -> banks[i] == bank).boxed().toList();
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
}
