package dev.stowage.tflite.micro;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.tflite.order.TensorRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/** Operators, some of them in place: their first input and their result are one record. */
final class InPlaceGraph {

  private final MicroOperators base;
  private final boolean isAlways;

  /** For each record, the record that it was merged into; itself if there is none. */
  private final int[] whole;

  /** The operator that works in place to compute each record; 0 for other records. */
  private final int[] writer;

  private InPlaceGraph(MicroOperators base, boolean isAlways) {
    this.base = base;
    this.isAlways = isAlways;
    whole = new int[base.records().size()];
    Arrays.setAll(whole, record -> record);
    writer = new int[whole.length];
  }

  /**
   * {@return the operators; those that can work in place in some order do so}
   *
   * <p>The smallest load of this graph is a lower bound for all orders. An order in which another
   * operator reads the overwritten input later needs more memory than the graph shows.
   *
   * @param inPlace the operators that may work in place, in their order
   */
  static MicroOperators possible(MicroOperators base, List<MicroInPlace> inPlace) {
    InPlaceGraph graph = new InPlaceGraph(base, false);
    return graph.merge(inPlace.stream().filter(it -> !graph.isReadAfter(it)).toList());
  }

  /**
   * {@return the operators; if an operator can work in place in the given order, it does so in all
   * orders}
   *
   * @param inPlace the operators that may work in place, in their order
   */
  static MicroOperators inGivenOrder(MicroOperators base, List<MicroInPlace> inPlace) {
    return new InPlaceGraph(base, true)
        .merge(inPlace.stream().filter(MicroInPlace::isPossible).toList());
  }

  /** {@return true if, in every order, another operator reads the input after this one} */
  private boolean isReadAfter(MicroInPlace inPlace) {
    int source = base.recordOf(inPlace.source());
    int first = inPlace.operator() + 1;
    BitSet later = new BitSet();
    BitSet written = new BitSet();
    later.set(first);
    written.set(base.recordOf(inPlace.result()));
    for (int k = first + 1; k < base.operators().size(); k++) {
      Operator operator = base.operators().get(k);
      if (operator.reads().stream().anyMatch(written::get)
          || operator.after().stream().anyMatch(later::get)) {
        if (operator.reads().contains(source)) {
          return true;
        }
        later.set(k);
        operator.writes().forEach(written::set);
      }
    }
    return false;
  }

  private MicroOperators merge(List<MicroInPlace> inPlace) {
    for (MicroInPlace it : inPlace) {
      int result = base.recordOf(it.result());
      whole[result] = whole[base.recordOf(it.source())];
      writer[result] = it.operator() + 1;
    }
    int[] renumbered = new int[whole.length];
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int record = 0; record < whole.length; record++) {
      if (whole[record] == record) {
        renumbered[record] = records.size();
        records.add(base.records().get(record));
      }
    }
    for (int record = 0; record < whole.length; record++) {
      renumbered[record] = renumbered[whole[record]];
    }
    List<Operator> operators = new ArrayList<>();
    for (int k = 0; k < base.operators().size(); k++) {
      operators.add(merged(k, renumbered));
    }
    return new MicroOperators(
        records, operators, of(base.outputs(), renumbered), new TensorRecords(0));
  }

  private Operator merged(int index, int[] renumbered) {
    Operator operator = base.operators().get(index);
    if (isAlways) {
      // The operator writes the record: all other readers of its input stay in front of it.
      return Operator.of(of(operator.reads(), renumbered), of(operator.writes(), renumbered))
          .withAfter(operator.after());
    }
    TreeSet<Integer> after = new TreeSet<>(operator.after());
    operator.reads().forEach(record -> after.add(writer[record]));
    List<Integer> writes =
        operator.writes().stream().filter(record -> whole[record] == record).toList();
    return Operator.of(of(operator.reads(), renumbered), of(writes, renumbered))
        .withAfter(after.stream().filter(before -> before < index).toList());
  }

  private static List<Integer> of(List<Integer> records, int[] renumbered) {
    return records.stream().map(record -> renumbered[record]).distinct().toList();
  }
}
