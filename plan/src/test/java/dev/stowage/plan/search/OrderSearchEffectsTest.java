package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares searches over orders with all orders of graphs of up to 10 operators, some of which have
 * side effects.
 */
class OrderSearchEffectsTest {

  /** No time limit, so that nothing depends on a clock. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofDays(1)).withNodeLimit(20_000);

  private static final int MAX_OPERATORS = 10;

  private final List<Operator> operators = new ArrayList<>();

  /** The operators with side effects, ascending. */
  private final List<Integer> effects = new ArrayList<>();

  private long[] bytes = {};
  private boolean[] isInput = {};
  private boolean[] isOutput = {};

  /** The operators that must run before each operator, from the definition. */
  private boolean[][] isBefore = {};

  private long smallestLoad = Long.MAX_VALUE;
  private long smallestArena = Long.MAX_VALUE;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_operatorsWithEffects_hasTheSmallestLoadOfAllOrdersThatKeepThem(long seed) {
    makeGraph(new Random(seed));
    tryOrders(new ArrayList<>(), 0);
    tryArenas(new ArrayList<>(), 0);

    OrderSearchResult result = OrderSearch.of(problem(fileOrder()), graph(), OPTIONS).run();

    List<Integer> order = result.operators();
    assertThat(order).containsExactlyInAnyOrderElementsOf(fileOrder());
    assertThat(order.stream().filter(effects::contains)).isEqualTo(effects);
    for (int i = 0; i < order.size(); i++) {
      for (int k = 0; k < i; k++) {
        assertThat(isBefore[order.get(i)][order.get(k)]).as("%d after %d", k, i).isFalse();
      }
    }
    assertThat(result.problem().records()).isEqualTo(problem(order).records());
    assertThat(AssignmentChecker.violation(result.problem(), result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes()).isEqualTo(smallestLoad);
    assertThat(result.assignment().totalBytes())
        .isGreaterThanOrEqualTo(smallestArena)
        .isLessThanOrEqualTo(arena(fileOrder()));
    if (result.end() == SearchEnd.OPTIMAL) {
      assertThat(result.assignment().totalBytes()).isEqualTo(smallestLoad).isEqualTo(smallestArena);
    }
  }

  private void makeGraph(Random random) {
    int operatorCount = 2 + random.nextInt(MAX_OPERATORS - 1);
    int recordCount = operatorCount + random.nextInt(3);
    int maxBytes = random.nextBoolean() ? 5 : 1000;
    bytes = random.longs(recordCount, 0, maxBytes).toArray();
    isInput = new boolean[recordCount];
    isOutput = new boolean[recordCount];
    for (int i = 0; i < operatorCount; i++) {
      List<Integer> reads = new ArrayList<>();
      for (int k = random.nextInt(3); k > 0; k--) {
        int read = random.nextInt(i + 1 + recordCount - operatorCount);
        reads.add(read > i ? recordCount - 1 - (read - i - 1) : Math.max(0, read - 1));
      }
      reads = reads.stream().distinct().toList();
      List<Integer> after = new ArrayList<>();
      if (random.nextInt(4) == 0) {
        if (!effects.isEmpty()) {
          after.add(effects.getLast());
        }
        effects.add(i);
      }
      operators.add(Operator.of(reads, List.of(i)).withAfter(after));
    }
    for (int record = 0; record < recordCount; record++) {
      isOutput[record] = random.nextInt(5) == 0;
      isInput[record] = record >= operatorCount || random.nextInt(8) == 0;
    }
    isBefore = new boolean[operatorCount][operatorCount];
    for (int a = 0; a < operatorCount; a++) {
      for (int b = a + 1; b < operatorCount; b++) {
        isBefore[a][b] =
            conflict(operators.get(a), operators.get(b))
                || (effects.contains(a) && effects.contains(b));
      }
    }
  }

  /** {@return true if one of two operators writes a record that the other one reads or writes} */
  private static boolean conflict(Operator a, Operator b) {
    return a.writes().stream().anyMatch(r -> b.reads().contains(r) || b.writes().contains(r))
        || a.reads().stream().anyMatch(b.writes()::contains);
  }

  private List<Integer> fileOrder() {
    return IntStream.range(0, operators.size()).boxed().toList();
  }

  private OperatorGraph graph() {
    return OperatorGraph.of(bytes.length, operators)
        .withInputs(indices(isInput))
        .withOutputs(indices(isOutput));
  }

  private static List<Integer> indices(boolean[] flags) {
    return IntStream.range(0, flags.length).filter(i -> flags[i]).boxed().toList();
  }

  private boolean uses(int operator, int record) {
    return operators.get(operator).reads().contains(record)
        || operators.get(operator).writes().contains(record);
  }

  /** {@return the records with the lifetimes of an order, from their definition} */
  private PlanProblem problem(List<Integer> order) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int record = 0; record < bytes.length; record++) {
      int first = isInput[record] ? 0 : order.size() - 1;
      int last = isOutput[record] && (isInput[record] || isUsed(record)) ? order.size() - 1 : 0;
      for (int task = 0; task < order.size(); task++) {
        if (uses(order.get(task), record)) {
          first = Math.min(first, task);
          last = Math.max(last, task);
        }
      }
      records.add(TensorUsageRecord.of(bytes[record], first, last));
    }
    return PlanProblem.of(records);
  }

  private boolean isUsed(int record) {
    return IntStream.range(0, operators.size()).anyMatch(operator -> uses(operator, record));
  }

  private long arena(List<Integer> order) {
    return OffsetsSearch.of(problem(order), OPTIONS).run().assignment().totalBytes();
  }

  /** Tries all orders that start with these operators and may have a smaller load. */
  private void tryOrders(List<Integer> start, long load) {
    if (load >= smallestLoad) {
      return;
    }
    if (start.size() == operators.size()) {
      smallestLoad = load;
      return;
    }
    for (int next : ready(start)) {
      List<Integer> longer = new ArrayList<>(start);
      longer.add(next);
      tryOrders(longer, Math.max(load, liveBytes(longer)));
    }
  }

  /** Tries all orders that start with these operators and may have a smaller arena. */
  private void tryArenas(List<Integer> start, long load) {
    if (load >= smallestArena || smallestArena == smallestLoad) {
      return;
    }
    if (start.size() == operators.size()) {
      smallestArena = Math.min(smallestArena, arena(start));
      return;
    }
    for (int next : ready(start)) {
      List<Integer> longer = new ArrayList<>(start);
      longer.add(next);
      tryArenas(longer, Math.max(load, liveBytes(longer)));
    }
  }

  private int[] ready(List<Integer> start) {
    return IntStream.range(0, operators.size())
        .filter(next -> !start.contains(next))
        .filter(next ->
            IntStream.range(0, operators.size())
                .allMatch(before -> !isBefore[before][next] || start.contains(before)))
        .toArray();
  }

  /** {@return the bytes that are live while the last of the operators so far runs} */
  private long liveBytes(List<Integer> start) {
    int task = start.size() - 1;
    long live = 0;
    for (int record = 0; record < bytes.length; record++) {
      boolean hasBegun = isInput[record];
      boolean isNeeded = isOutput[record] || (task == 0 && isInput[record]);
      for (int operator = 0; operator < operators.size(); operator++) {
        if (uses(operator, record)) {
          int place = start.indexOf(operator);
          hasBegun |= place >= 0;
          isNeeded |= place < 0 || place == task;
        }
      }
      live += hasBegun && isNeeded ? bytes[record] : 0;
    }
    return live;
  }
}
