package dev.stowage.plan.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares orders of operators with lists that are checked pair by pair. */
class OperatorOrderRandomTest {

  static LongStream seeds() {
    return Seeds.of(400);
  }

  private final List<Operator> operators = new ArrayList<>();
  private final List<Integer> inputs = new ArrayList<>();
  private final List<Integer> outputs = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();

  /** The model: the operators in their order. */
  private List<Integer> order = new ArrayList<>();

  private void makeGraph(Random random) {
    int recordCount = 1 + random.nextInt(30);
    int operatorCount = random.nextInt(25);
    int distance = 1 + random.nextInt(30);
    for (int i = 0; i < operatorCount; i++) {
      TreeSet<Integer> reads = new TreeSet<>();
      for (int k = random.nextInt(4); k > 0; k--) {
        reads.add(Math.floorMod(i - 1 - random.nextInt(distance), recordCount));
      }
      List<Integer> writes = new ArrayList<>();
      for (int k = 1 + random.nextInt(3) / 2; k > 0; k--) {
        writes.add(random.nextInt(8) == 0 ? random.nextInt(recordCount) : i % recordCount);
      }
      List<Integer> after =
          i > 0 && random.nextInt(6) == 0 ? List.of(random.nextInt(i)) : List.of();
      operators.add(Operator.of(List.copyOf(reads), writes).withAfter(after));
      order.add(i);
    }
    for (int i = 0; i < recordCount; i++) {
      int record = i;
      records.add(TensorUsageRecord.of(random.nextInt(random.nextBoolean() ? 5 : 99), 0, 0));
      boolean isUsed =
          operators.stream()
              .anyMatch(o -> o.reads().contains(record) || o.writes().contains(record));
      if (random.nextInt(6) == 0 || (!isUsed && random.nextBoolean())) {
        inputs.add(i);
      } else if (random.nextInt(6) == 0 || !isUsed) {
        outputs.add(i);
      }
    }
  }

  /** {@return true if the first of two operators must run before the second, by itself} */
  private boolean isBefore(int first, int second) {
    Operator a = operators.get(first);
    Operator b = operators.get(second);
    return first < second
        && (b.after().contains(first)
            || a.writes().stream().anyMatch(r -> b.reads().contains(r) || b.writes().contains(r))
            || a.reads().stream().anyMatch(b.writes()::contains));
  }

  private boolean isLegal(List<Integer> operatorOrder) {
    for (int p = 0; p < operatorOrder.size(); p++) {
      for (int q = p + 1; q < operatorOrder.size(); q++) {
        if (isBefore(operatorOrder.get(q), operatorOrder.get(p))) {
          return false;
        }
      }
    }
    return true;
  }

  private List<Integer> moved(int from, int to) {
    List<Integer> moved = new ArrayList<>(order);
    moved.subList(from, from + 1).clear();
    moved.add(to, order.get(from));
    return moved;
  }

  private PlanProblem problem() {
    long lastTask = Math.max(0, order.size() - 1);
    List<TensorUsageRecord> ordered = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      int record = i;
      int[] users =
          IntStream.range(0, order.size())
              .filter(position -> {
                Operator operator = operators.get(order.get(position));
                return operator.reads().contains(record) || operator.writes().contains(record);
              })
              .toArray();
      long first = inputs.contains(i) || users.length == 0 ? 0 : users[0];
      long last = users.length == 0 ? 0 : users[users.length - 1];
      if (outputs.contains(i)) {
        first = users.length == 0 ? lastTask : first;
        last = lastTask;
      }
      ordered.add(records.get(i).withLifetime(first, last));
    }
    return PlanProblem.of(ordered);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void moves_anyGraph_agreeWithLists(long seed) {
    Random random = new Random(seed);
    makeGraph(random);
    OperatorGraph graph =
        OperatorGraph.of(records.size(), operators).withInputs(inputs).withOutputs(outputs);
    OperatorOrder tested = OperatorOrder.of(PlanProblem.of(records), graph);
    Deque<List<Integer>> checkpoints = new ArrayDeque<>();
    for (int step = 0; step < 40; step++) {
      step(tested, checkpoints, random);
      tested.checkInvariants();
      PlanProblem problem = problem();
      assertThat(IntStream.of(tested.operators()).boxed().toList()).isEqualTo(order);
      assertThat(tested.problem()).isEqualTo(problem);
      assertThat(tested.loadBytes()).isEqualTo(LowerBounds.of(problem).offsetsBytes());
      if (random.nextBoolean()) {
        assertThat(tested.assignment())
            .isEqualTo(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem));
      }
    }
  }

  private void step(OperatorOrder tested, Deque<List<Integer>> checkpoints, Random random) {
    int kind = random.nextInt(8);
    if (kind == 0) {
      tested.checkpoint();
      checkpoints.push(order);
    } else if (kind == 1 && !checkpoints.isEmpty()) {
      tested.rollback();
      order = checkpoints.pop();
    } else if (kind == 2 && !checkpoints.isEmpty()) {
      tested.commit();
      checkpoints.pop();
    } else if (!order.isEmpty()) {
      int from = random.nextInt(order.size());
      int to =
          random.nextBoolean()
              ? random.nextInt(order.size())
              : Math.clamp(from + random.nextInt(5) - 2L, 0, order.size() - 1);
      List<Integer> moved = moved(from, to);
      assertThat(tested.canMove(from, to)).isEqualTo(isLegal(moved));
      if (isLegal(moved)) {
        tested.move(from, to);
        order = moved;
      }
    }
  }
}
