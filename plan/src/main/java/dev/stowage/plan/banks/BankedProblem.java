package dev.stowage.plan.banks;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * A planning problem for several banks: records, the number of reads of each, and the banks.
 *
 * <p>A task writes each record once, and other tasks read it. The cost of a record is {@code bytes
 * × (1 + reads)} times the cost of its bank. A record may be tied to a bank. A pinned record may be
 * in each bank that has its pinned offset, unless it is tied.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class BankedProblem {

  /** The largest number of banks. */
  public static final int MAX_BANKS = 62;

  private static final int UNTIED = -1;

  private final PlanProblem problem;
  private final List<MemoryBank> banks;
  private final long[] reads;
  private final int[] ties;

  private BankedProblem(PlanProblem problem, List<MemoryBank> banks, long[] reads, int[] ties) {
    this.problem = problem;
    this.banks = banks;
    this.reads = reads;
    this.ties = ties;
  }

  /**
   * {@return a problem in which every record is read once and tied to no bank}
   *
   * @param problem the records
   * @param banks the banks, the fastest first
   * @throws IllegalArgumentException if there is no bank or more than {@link #MAX_BANKS}, two banks
   *     have the same name, a bank other than the last one is unlimited, the problem has a reuse
   *     graph, all records one after the other do not fit into {@link Long#MAX_VALUE} bytes with
   *     the alignment of a bank, or the largest cost of all records exceeds {@link Long#MAX_VALUE}
   */
  public static BankedProblem of(PlanProblem problem, List<MemoryBank> banks) {
    List<MemoryBank> copy = List.copyOf(banks);
    checkBanks(copy);
    if (problem.reuseGraph().isPresent()) {
      throw new IllegalArgumentException("a problem with banks must not have a reuse graph");
    }
    for (MemoryBank bank : copy) {
      checkAlignment(problem, bank);
    }
    long[] reads = new long[problem.records().size()];
    Arrays.fill(reads, 1);
    int[] ties = new int[reads.length];
    Arrays.fill(ties, UNTIED);
    return new BankedProblem(problem, copy, reads, ties).checked();
  }

  private static void checkBanks(List<MemoryBank> banks) {
    if (banks.isEmpty() || banks.size() > MAX_BANKS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "there must be 1 to %d banks: banks=%d", MAX_BANKS, banks.size()));
    }
    Set<String> names = new HashSet<>();
    for (MemoryBank bank : banks) {
      if (!names.add(bank.name())) {
        throw new IllegalArgumentException(
            "banks must have different names: two are named " + bank.name());
      }
    }
    for (int i = 0; i < banks.size() - 1; i++) {
      if (banks.get(i).bytes().isEmpty()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "only the last bank may be unlimited: %s is before %s",
                banks.get(i).name(),
                banks.get(i + 1).name()));
      }
    }
  }

  /** Throws if offsets in a bank could overflow. */
  private static void checkAlignment(PlanProblem problem, MemoryBank bank) {
    List<TensorUsageRecord> unpinned =
        problem.records().stream()
            .map(record ->
                TensorUsageRecord.of(record.bytes(), record.firstTask(), record.lastTask())
                    .withName(record.name())
                    .withAlignment(record.alignment()))
            .toList();
    new PlanProblem(unpinned, bank.alignmentIn(problem), Optional.empty());
  }

  /**
   * {@return this problem with other numbers of reads}
   *
   * @param newReads the number of tasks that read each record, in the order of the records
   * @throws IllegalArgumentException if there is not one number for each record, a number is
   *     negative, or the largest cost of all records exceeds {@link Long#MAX_VALUE}
   */
  public BankedProblem withReads(long[] newReads) {
    if (newReads.length != reads.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there must be one number of reads for each record: reads=%d, records=%d",
              newReads.length,
              reads.length));
    }
    for (int i = 0; i < newReads.length; i++) {
      if (newReads[i] < 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "reads of %s must not be negative: reads=%d",
                problem.records().get(i).label(i),
                newReads[i]));
      }
    }
    return new BankedProblem(problem, banks, newReads.clone(), ties).checked();
  }

  /**
   * {@return this problem with other ties}
   *
   * @param bankNames the bank of each record that is tied to one, by the index of the record
   * @throws IllegalArgumentException if there is no such record or no such bank
   */
  public BankedProblem withTies(Map<Integer, String> bankNames) {
    int[] newTies = new int[ties.length];
    Arrays.fill(newTies, UNTIED);
    bankNames.forEach((record, name) -> {
      if (record < 0 || record >= newTies.length) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a tie must be of a record of the problem: record=%d, records=%d",
                record,
                newTies.length));
      }
      newTies[record] = indexOf(name, record);
    });
    return new BankedProblem(problem, banks, reads, newTies);
  }

  private int indexOf(String name, int record) {
    for (int bank = 0; bank < banks.size(); bank++) {
      if (banks.get(bank).name().equals(name)) {
        return bank;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s is tied to bank '%s', expected one of %s",
            problem.records().get(record).label(record),
            name,
            String.join(", ", banks.stream().map(MemoryBank::name).toList())));
  }

  private BankedProblem checked() {
    long maxCost = banks.stream().mapToLong(MemoryBank::cost).max().orElse(0);
    long sum = 0;
    for (int i = 0; i < reads.length; i++) {
      long bytes = problem.records().get(i).bytes();
      try {
        long moved = Math.multiplyExact(bytes, Math.addExact(1, reads[i]));
        sum = Math.addExact(sum, Math.multiplyExact(moved, Math.max(1, maxCost)));
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the cost of records up to %s exceeds 2^63 - 1: bytes=%d, reads=%d, largest cost of a bank=%d",
                problem.records().get(i).label(i),
                bytes,
                reads[i],
                maxCost),
            e);
      }
    }
    return this;
  }

  /** {@return the records} */
  public PlanProblem problem() {
    return problem;
  }

  /** {@return the banks, the fastest first} */
  public List<MemoryBank> banks() {
    return banks;
  }

  /** {@return the number of records} */
  public int recordCount() {
    return reads.length;
  }

  /**
   * {@return the number of tasks that read a record}
   *
   * @param record an index into the problem's records
   */
  public long reads(int record) {
    return reads[record];
  }

  /**
   * {@return the index of the bank that a record is tied to; empty if it may be in any bank}
   *
   * @param record an index into the problem's records
   */
  public OptionalInt tiedBank(int record) {
    return ties[record] == UNTIED ? OptionalInt.empty() : OptionalInt.of(ties[record]);
  }

  /**
   * {@return the number of bytes that tasks write to and read from a record}
   *
   * @param record an index into the problem's records
   */
  public long movedBytes(int record) {
    return problem.records().get(record).bytes() * (1 + reads[record]);
  }

  /**
   * {@return this problem with other costs of the banks, which must not be too large}
   *
   * @param costs the cost of a bank with a given cost
   */
  public BankedProblem withCosts(LongUnaryOperator costs) {
    List<MemoryBank> cheaper =
        banks.stream().map(bank -> bank.withCost(costs.applyAsLong(bank.cost()))).toList();
    return new BankedProblem(problem, cheaper, reads, ties);
  }

  /**
   * {@return the alignment of all offsets in a bank, without that of single records}
   *
   * @param bank the index of the bank
   */
  public long alignmentIn(int bank) {
    return banks.get(bank).alignmentIn(problem);
  }

  /**
   * {@return the alignment of the offset of a record in a bank}
   *
   * @param bank the index of the bank
   * @param record one of the records
   */
  public long alignmentIn(int bank, TensorUsageRecord record) {
    return Alignment.leastCommonMultiple(alignmentIn(bank), record.alignment());
  }

  /**
   * {@return true if the tie, the size and the pinned offset of a record permit a bank}
   *
   * @param bank the index of the bank
   * @param record an index into the problem's records
   */
  public boolean mayBeIn(int bank, int record) {
    TensorUsageRecord data = problem.records().get(record);
    long offset = data.pinnedOffset().orElse(0);
    return (ties[record] == UNTIED || ties[record] == bank)
        && offset % alignmentIn(bank) == 0
        && banks.get(bank).holds(offset + data.bytes());
  }

  /**
   * {@return the problem of some records, which are all in one bank}
   *
   * @param bank the index of the bank
   * @param records the indices of the records
   */
  public PlanProblem inBank(int bank, List<Integer> records) {
    return banks.get(bank).problemOf(problem, records);
  }
}
