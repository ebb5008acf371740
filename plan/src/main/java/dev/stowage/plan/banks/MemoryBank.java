package dev.stowage.plan.banks;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.OptionalLong;

/**
 * A memory with a capacity, an alignment and a cost.
 *
 * @param name the name; not blank
 * @param bytes the capacity in bytes; empty if there is no limit
 * @param alignment the alignment of all offsets in the bank, in bytes
 * @param cost the cost of writing or reading one byte, in any unit
 */
public record MemoryBank(String name, OptionalLong bytes, long alignment, long cost) {

  /**
   * Checks a bank.
   *
   * @throws IllegalArgumentException if the name is blank, {@code bytes < 1}, {@code alignment < 1}
   *     or {@code cost < 0}
   */
  public MemoryBank {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a bank must have a name: name='" + name + "'");
    }
    check("bytes", bytes.orElse(1), 1, "positive", name);
    check("alignment", alignment, 1, "positive", name);
    check("cost", cost, 0, "0 or more", name);
  }

  private static void check(String property, long value, long least, String expected, String name) {
    if (value < least) {
      throw Message.illegalArgument(
          "%s of bank %s must be %s: %s=%d", property, name, expected, property, value);
    }
  }

  /**
   * {@return a bank with alignment 1 and cost 1}
   *
   * @param name the name; not blank
   * @param bytes the capacity
   * @throws IllegalArgumentException if the name is blank or {@code bytes < 1}
   */
  public static MemoryBank of(String name, long bytes) {
    return new MemoryBank(name, OptionalLong.of(bytes), 1, 1);
  }

  /**
   * {@return a bank of any size, with alignment 1 and cost 1}
   *
   * @param name the name; not blank
   * @throws IllegalArgumentException if the name is blank
   */
  public static MemoryBank unlimited(String name) {
    return new MemoryBank(name, OptionalLong.empty(), 1, 1);
  }

  /**
   * {@return this bank with another alignment}
   *
   * @param newAlignment any positive number of bytes; every offset in the bank is a multiple of it,
   *     of the alignment of the problem and of the alignment of the record
   * @throws IllegalArgumentException if {@code newAlignment < 1}
   */
  public MemoryBank withAlignment(long newAlignment) {
    return new MemoryBank(name, bytes, newAlignment, cost);
  }

  /**
   * {@return this bank with another cost}
   *
   * @param newCost the cost of writing or reading one byte, in any unit
   * @throws IllegalArgumentException if {@code newCost < 0}
   */
  public MemoryBank withCost(long newCost) {
    return new MemoryBank(name, bytes, alignment, newCost);
  }

  /**
   * {@return the problem of some records in this bank: all offsets are also multiples of the
   * alignment of the bank}
   *
   * @param problem the problem of all records
   * @param records the indices of the records in the bank
   * @throws IllegalArgumentException if the alignments of the problem and of the bank have no
   *     common multiple below 2^63, or if the aligned records have more than 2^63 - 1 bytes
   */
  public PlanProblem problemOf(PlanProblem problem, List<Integer> records) {
    return problem.subset(records).withAlignment(alignmentIn(problem));
  }

  /** {@return the alignment of all offsets of a problem in this bank} */
  long alignmentIn(PlanProblem problem) {
    try {
      return Alignment.leastCommonMultiple(problem.alignment(), alignment);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Message.of(
              "the alignments of bank %s and of all records have no common multiple below 2^63: %d and %d",
              name, alignment, problem.alignment()),
          e);
    }
  }

  /** {@return the bank as {@code --bank} takes it} */
  @Override
  public String toString() {
    return Message.of(
        "name=%s%s,alignment=%d,cost=%d",
        name, bytes.isPresent() ? ",bytes=" + bytes.getAsLong() : "", alignment, cost);
  }
}
