package dev.stowage.plan.incremental;

import java.util.List;

/**
 * An operator of a graph: the records that it reads and writes.
 *
 * @param reads the indices of the records that it reads
 * @param writes the indices of the records that it writes
 * @param after the indices of operators that must run before it, besides the writers of its
 *     records. For example, if a view has the record of its source, the readers of the view must
 *     run after the operator that makes the view
 */
public record Operator(List<Integer> reads, List<Integer> writes, List<Integer> after) {

  /** Creates an operator. */
  public Operator {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    after = List.copyOf(after);
  }

  /**
   * {@return an operator that must run after the writers of the records that it reads}
   *
   * @param reads the indices of the records that it reads
   * @param writes the indices of the records that it writes
   */
  public static Operator of(List<Integer> reads, List<Integer> writes) {
    return new Operator(reads, writes, List.of());
  }

  /**
   * {@return this operator with other operators that must run before it}
   *
   * @param operators their indices
   */
  public Operator withAfter(List<Integer> operators) {
    return new Operator(reads, writes, operators);
  }
}
