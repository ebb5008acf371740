package dev.stowage.plan.search.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the lower bound of the loads of all orders with its definition. */
class OperatorSetsRandomTest {

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private static OperatorGraph graph(Random random, int operatorCount, int recordCount) {
    List<Operator> operators = new ArrayList<>();
    for (int i = 0; i < operatorCount; i++) {
      int from = Math.max(0, i - random.nextInt(1, 80));
      List<Integer> reads =
          random.ints(random.nextInt(3), from, i + 1).distinct().boxed().sorted().toList();
      operators.add(Operator.of(reads, i < recordCount ? List.of(i) : List.of()));
    }
    List<Integer> inputs = new ArrayList<>();
    List<Integer> outputs = new ArrayList<>();
    for (int record = 0; record < recordCount; record++) {
      if (record >= operatorCount || random.nextInt(20) == 0) {
        inputs.add(record); // an operator writes each of the others
      }
      if (random.nextInt(20) == 0) {
        outputs.add(record);
      }
    }
    return OperatorGraph.of(recordCount, operators).withInputs(inputs).withOutputs(outputs);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lowerBoundBytes_anyGraph_isTheLargestSumOfCertainBytes(long seed) {
    Random random = new Random(seed);
    int operatorCount = random.nextInt(1, 200);
    int recordCount = operatorCount + random.nextInt(3);
    OperatorGraph graph = graph(random, operatorCount, recordCount);
    long[] bytes = random.longs(recordCount, 0, 100).toArray();
    OperatorSets sets = OperatorSets.of(graph, bytes);

    long bound = sets.lowerBoundBytes(() -> false);
    int[] checks = {0};
    int limit = random.nextInt(4);
    long cut = sets.lowerBoundBytes(() -> checks[0]++ >= limit);

    assertThat(bound).isEqualTo(naive(graph, bytes, operatorCount));
    assertThat(cut).isLessThanOrEqualTo(bound).isGreaterThanOrEqualTo(naive(graph, bytes, 0));
    assertThat(checks[0]).isEqualTo(Math.min(limit + 1, Math.ceilDiv(operatorCount, 64)));
    assertThat(cut)
        .isGreaterThanOrEqualTo(naive(graph, bytes, Math.min(64 * limit, operatorCount)));
  }

  /** Returns the bound from the first operators, and from the records of each other operator. */
  private static long naive(OperatorGraph graph, long[] bytes, int operatorCount) {
    int count = graph.operatorCount();
    BitSet[] before = new BitSet[count];
    BitSet[] after = new BitSet[count];
    for (int operator = 0; operator < count; operator++) {
      before[operator] = closure(operator, before, graph.predecessors(operator));
    }
    for (int operator = count - 1; operator >= 0; operator--) {
      after[operator] = closure(operator, after, graph.successors(operator));
    }
    long bound =
        IntStream.range(0, bytes.length).filter(graph::isInput).mapToLong(i -> bytes[i]).sum();
    for (int operator = 0; operator < count; operator++) {
      bound = Math.max(bound, IntStream.of(graph.records(operator)).mapToLong(i -> bytes[i]).sum());
      if (operator < operatorCount) {
        long certain = 0;
        for (int record = 0; record < bytes.length; record++) {
          int[] users = graph.users(record);
          boolean hasStarted =
              graph.isInput(record) || IntStream.of(users).anyMatch(before[operator]::get);
          boolean isNeeded =
              graph.isOutput(record) || IntStream.of(users).anyMatch(after[operator]::get);
          certain += hasStarted && isNeeded ? bytes[record] : 0;
        }
        bound = Math.max(bound, certain);
      }
    }
    return bound;
  }

  private static BitSet closure(int operator, BitSet[] known, int[] next) {
    BitSet closure = new BitSet();
    closure.set(operator);
    IntStream.of(next).forEach(other -> closure.or(known[other]));
    return closure;
  }
}
