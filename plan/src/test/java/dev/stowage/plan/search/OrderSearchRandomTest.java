package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.search.orders.LoadSearch;
import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares searches over orders with all orders of small graphs. */
class OrderSearchRandomTest {

  /** No time limit, so that nothing depends on a clock. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofDays(1)).withNodeLimit(20_000);

  private final List<Operator> operators = new ArrayList<>();
  private final List<Long> bytes = new ArrayList<>();
  private final Set<Integer> inputs = new TreeSet<>();
  private final Set<Integer> outputs = new TreeSet<>();

  /** The smallest load and the smallest arena of all legal orders. */
  private long smallestLoad = Long.MAX_VALUE;

  private long smallestArena = Long.MAX_VALUE;

  static LongStream seeds() {
    return Seeds.of(300);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_smallGraph_hasTheSmallestLoadOfAllOrders(long seed) {
    makeGraph(new Random(seed));
    tryOrders(new ArrayList<>());

    OrderSearchResult result = OrderSearch.of(problem(), graph(), OPTIONS).run();

    assertThat(isLegal(result.operators())).isTrue();
    assertThat(result.problem().records()).isEqualTo(problem(result.operators()).records());
    assertThat(AssignmentChecker.violation(result.problem(), result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes()).isEqualTo(smallestLoad);
    assertThat(result.assignment().totalBytes()).isGreaterThanOrEqualTo(smallestArena);
    if (result.end() == SearchEnd.OPTIMAL) {
      assertThat(result.assignment().totalBytes()).isEqualTo(smallestArena);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_stoppedLoadSearch_hasAValidBoundAndAnOrderOfItsLoad(long seed) {
    Random random = new Random(seed);
    makeGraph(random);
    tryOrders(new ArrayList<>());
    long givenLoad = load(IntStream.range(0, operators.size()).boxed().toList());
    int[] left = {random.nextInt(20)};
    LoadSearch search =
        new LoadSearch(
            graph(),
            bytes.stream().mapToLong(Long::longValue).toArray(),
            givenLoad,
            () -> left[0]-- <= 0);
    search.run();
    List<Integer> order = IntStream.of(search.order()).boxed().toList();
    assertThat(isLegal(order)).isTrue();
    assertThat(load(order)).isEqualTo(search.loadBytes()).isLessThanOrEqualTo(givenLoad);
    assertThat(search.lowerBoundBytes()).isLessThanOrEqualTo(smallestLoad);
  }

  private void makeGraph(Random random) {
    int operatorCount = 1 + random.nextInt(7);
    int recordCount = operatorCount + random.nextInt(4);
    int maxBytes = random.nextBoolean() ? 4 : 100;
    for (int i = 0; i < operatorCount; i++) {
      TreeSet<Integer> reads = new TreeSet<>();
      for (int k = random.nextInt(3); k > 0; k--) {
        reads.add(random.nextInt(recordCount));
      }
      reads.removeIf(record -> record >= 0 && random.nextInt(4) == 0);
      List<Integer> writes =
          random.nextInt(9) == 0 ? List.of() : List.of(random.nextInt(5) == 0 ? 0 : i);
      List<Integer> after =
          i > 0 && random.nextInt(5) == 0 ? List.of(random.nextInt(i)) : List.of();
      operators.add(Operator.of(List.copyOf(reads), writes).withAfter(after));
    }
    for (int record = 0; record < recordCount; record++) {
      bytes.add((long) random.nextInt(maxBytes));
      if (random.nextInt(4) == 0 || users(record).isEmpty()) {
        inputs.add(record);
      }
      if (random.nextInt(5) == 0) {
        outputs.add(record);
      }
    }
  }

  private OperatorGraph graph() {
    return OperatorGraph.of(bytes.size(), operators)
        .withInputs(List.copyOf(inputs))
        .withOutputs(List.copyOf(outputs));
  }

  private PlanProblem problem() {
    return PlanProblem.of(bytes.stream().map(size -> TensorUsageRecord.of(size, 0, 0)).toList());
  }

  private List<Integer> users(int record) {
    return IntStream.range(0, operators.size())
        .filter(i ->
            operators.get(i).reads().contains(record) || operators.get(i).writes().contains(record))
        .boxed()
        .toList();
  }

  /** {@return the records with the lifetimes of an order, from its definition} */
  private PlanProblem problem(List<Integer> order) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int record = 0; record < bytes.size(); record++) {
      List<Integer> tasks = users(record).stream().map(order::indexOf).sorted().toList();
      int first = inputs.contains(record) ? 0 : tasks.getFirst();
      int last =
          outputs.contains(record) ? order.size() - 1 : tasks.isEmpty() ? 0 : tasks.getLast();
      records.add(TensorUsageRecord.of(bytes.get(record), first, last));
    }
    return PlanProblem.of(records);
  }

  private long load(List<Integer> order) {
    return LowerBounds.of(problem(order)).offsetsBytes();
  }

  /** Tries all legal orders that start with these operators. */
  private void tryOrders(List<Integer> start) {
    if (start.size() == operators.size()) {
      long load = load(start);
      if (load < smallestLoad) {
        smallestLoad = load;
      }
      if (load < smallestArena) {
        smallestArena =
            Math.min(
                smallestArena,
                OffsetsSearch.of(problem(start), OPTIONS).run().assignment().totalBytes());
      }
      return;
    }
    for (int operator = 0; operator < operators.size(); operator++) {
      if (!start.contains(operator)) {
        List<Integer> longer = new ArrayList<>(start);
        longer.add(operator);
        if (isLegal(longer)) {
          tryOrders(longer);
        }
      }
    }
  }

  /** {@return true if each operator of an order comes after those on which it depends} */
  private boolean isLegal(List<Integer> order) {
    Set<Integer> done = new HashSet<>();
    for (int operator : order) {
      for (int before = 0; before < operator; before++) {
        if (!done.contains(before) && isBefore(before, operator)) {
          return false;
        }
      }
      done.add(operator);
    }
    return true;
  }

  private boolean isBefore(int first, int second) {
    Operator a = operators.get(first);
    Operator b = operators.get(second);
    return b.after().contains(first)
        || a.writes().stream().anyMatch(r -> b.reads().contains(r) || b.writes().contains(r))
        || a.reads().stream().anyMatch(b.writes()::contains);
  }
}
