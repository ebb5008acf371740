package dev.stowage.plan.banks;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.text.Message;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A planning problem for several banks: records, the number of reads of each, and the banks.
 *
 * <p>A task writes each record once, and other tasks read it. The cost of a record is {@code bytes
 * × (1 + reads)} times the cost of its bank. A record may be tied to a bank. A pinned record may be
 * in each bank that has its pinned offset, unless it is tied.
 *
 * @param problem the records; without a reuse graph
 * @param banks the banks, at least one
 * @param reads the number of tasks that read each record; empty if each one is read once
 * @param ties the name of the bank of each record that is tied to one, by the index of the record
 */
public record BankedProblem(
    PlanProblem problem, List<MemoryBank> banks, List<Long> reads, Map<Integer, String> ties) {

  /**
   * Checks a problem.
   *
   * @throws IllegalArgumentException if there is no bank, two banks have the same name, the problem
   *     has a reuse graph, a record is tied to a bank that does not exist, the lists of reads and
   *     of records differ in length, or the bytes of all aligned records or their largest cost
   *     exceed 2^63 - 1
   */
  public BankedProblem {
    banks = List.copyOf(banks);
    reads = List.copyOf(reads);
    ties = Map.copyOf(ties);
    if (problem.reuseGraph().isPresent()) {
      throw new IllegalArgumentException("a problem with banks must not have a reuse graph");
    }
    if (banks.isEmpty()) {
      throw new IllegalArgumentException("there must be a bank");
    }
    Set<String> names = new HashSet<>();
    for (MemoryBank bank : banks) {
      if (!names.add(bank.name())) {
        throw new IllegalArgumentException(
            "banks must have different names: two are named " + bank.name());
      }
      checkAlignment(problem, bank);
    }
    checkReads(problem, reads);
    checkCost(problem, banks, reads);
    for (Map.Entry<Integer, String> tie : new TreeMap<>(ties).entrySet()) {
      if (!names.contains(tie.getValue())) {
        throw Message.illegalArgument(
            "%s is tied to bank '%s', expected one of %s",
            problem.records().get(tie.getKey()).label(tie.getKey()),
            tie.getValue(),
            String.join(", ", banks.stream().map(MemoryBank::name).toList()));
      }
    }
  }

  /**
   * {@return a problem with one read of every record, and no record tied to a bank}
   *
   * @param problem the records
   * @param banks the banks
   * @throws IllegalArgumentException as the constructor
   */
  public static BankedProblem of(PlanProblem problem, List<MemoryBank> banks) {
    return new BankedProblem(problem, banks, List.of(), Map.of());
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

  private static void checkReads(PlanProblem problem, List<Long> reads) {
    int records = problem.records().size();
    if (!reads.isEmpty() && reads.size() != records) {
      throw Message.illegalArgument(
          "there must be one number of reads for each record: reads=%d, records=%d",
          reads.size(), records);
    }
    for (int i = 0; i < reads.size(); i++) {
      if (reads.get(i) < 0) {
        throw Message.illegalArgument(
            "reads of %s must not be negative: reads=%d",
            problem.records().get(i).label(i), reads.get(i));
      }
    }
  }

  private static void checkCost(PlanProblem problem, List<MemoryBank> banks, List<Long> reads) {
    long mostCost = banks.stream().mapToLong(MemoryBank::cost).max().orElse(0);
    BigInteger moved = BigInteger.ZERO;
    for (int i = 0; i < problem.records().size(); i++) {
      BigInteger uses =
          reads.isEmpty() ? BigInteger.TWO : BigInteger.valueOf(reads.get(i)).add(BigInteger.ONE);
      moved = moved.add(uses.multiply(BigInteger.valueOf(problem.records().get(i).bytes())));
    }
    if (moved.multiply(BigInteger.valueOf(Math.max(1, mostCost))).bitLength() >= Long.SIZE) {
      throw Message.illegalArgument(
          "the cost of all records exceeds 2^63 - 1: bytes written and read=%d, largest cost of a bank=%d",
          moved, mostCost);
    }
  }

  /** {@return the number of records} */
  public int recordCount() {
    return problem.records().size();
  }

  /**
   * {@return the number of tasks that read a record}
   *
   * @param record an index into the problem's records
   */
  public long reads(int record) {
    return reads.isEmpty() ? 1 : reads.get(record);
  }

  /**
   * {@return the number of bytes that tasks write to and read from a record}
   *
   * @param record an index into the problem's records
   */
  public long movedBytes(int record) {
    return problem.records().get(record).bytes() * (1 + reads(record));
  }

  /**
   * {@return the index of the bank that a record is tied to; empty if it may be in any bank}
   *
   * @param record an index into the problem's records
   */
  public OptionalInt tiedBank(int record) {
    return IntStream.range(0, banks.size())
        .filter(bank -> banks.get(bank).name().equals(ties.get(record)))
        .findFirst();
  }

  /**
   * {@return the banks that the tie, the size and the pinned offset of a record permit, by
   * ascending index}
   *
   * @param record an index into the problem's records
   */
  public int[] permittedBanks(int record) {
    return IntStream.range(0, banks.size()).filter(bank -> mayBeIn(bank, record)).toArray();
  }

  private boolean mayBeIn(int bank, int record) {
    TensorUsageRecord data = problem.records().get(record);
    long offset = data.pinnedOffset().orElse(0);
    return ties.getOrDefault(record, banks.get(bank).name()).equals(banks.get(bank).name())
        && (offset == 0 || offset % alignmentIn(bank, data) == 0)
        && offset + data.bytes() <= banks.get(bank).bytes().orElse(Long.MAX_VALUE);
  }

  /**
   * {@return the alignment of the offset of a record in a bank}
   *
   * @param bank the index of the bank
   * @param record one of the records
   */
  public long alignmentIn(int bank, TensorUsageRecord record) {
    return Alignment.leastCommonMultiple(banks.get(bank).alignmentIn(problem), record.alignment());
  }
}
