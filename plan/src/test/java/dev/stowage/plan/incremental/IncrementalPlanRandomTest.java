package dev.stowage.plan.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.RecordFamilies;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the plan after changes with planning from scratch. */
class IncrementalPlanRandomTest {

  private static final int STEPS = 40;

  static LongStream seeds() {
    return RandomRecords.seeds(600);
  }

  static LongStream seedsOfLargeProblems() {
    return RandomRecords.seeds(30);
  }

  /** The problem as a list of records, changed without any index. */
  private record Model(List<TensorUsageRecord> records, long alignment, long taskCount) {

    PlanProblem problem() {
      return new PlanProblem(records, alignment, Optional.empty());
    }

    Model copy() {
      return new Model(new ArrayList<>(records), alignment, taskCount);
    }
  }

  private static PlanProblem problem(long seed) {
    Random random = new Random(seed);
    return switch ((int) (seed % 4)) {
      case 0 -> PlanProblem.of(new RandomRecords(seed).unsorted());
      case 1 -> {
        List<TensorUsageRecord> records = new RandomRecords(seed).sorted();
        records.replaceAll(record -> record.withAlignment(1L << random.nextInt(5)));
        yield PlanProblem.of(records).withAlignment(1 + random.nextInt(9));
      }
      case 2 -> {
        PlanProblem small = SmallProblems.withWindows(seed, 14, 30);
        yield new PlanProblem(
            small.records().stream().map(IncrementalPlanRandomTest::withoutPin).toList(),
            small.alignment(),
            Optional.empty());
      }
      default -> family(random, 5 + random.nextInt(60), seed);
    };
  }

  private static PlanProblem family(Random random, int count, long seed) {
    return RecordFamilies.problem(
        any(List.of(RecordFamilies.Lifetimes.values()), random),
        any(List.of(RecordFamilies.Sizes.values()), random),
        count,
        seed);
  }

  private static <T> T any(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static TensorUsageRecord withoutPin(TensorUsageRecord record) {
    return TensorUsageRecord.of(record.bytes(), record.firstTask(), record.lastTask())
        .withAlignment(record.alignment())
        .withGaps(record.gaps());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_anyChanges_equalsPlanningFromScratch(long seed) {
    run(problem(seed), new Random(seed), STEPS);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seedsOfLargeProblems")
  void plan_manyRecords_equalsPlanningFromScratch(long seed) {
    Random random = new Random(seed);
    run(family(random, 65 + random.nextInt(400), seed), random, STEPS);
  }

  private static void run(PlanProblem problem, Random random, int steps) {
    long lastTask =
        problem.records().stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    boolean isExact = random.nextBoolean();
    long taskCount = isExact ? lastTask + 1 : lastTask + 1 + random.nextInt(9);
    Model model = new Model(new ArrayList<>(problem.records()), problem.alignment(), taskCount);
    IncrementalPlan plan =
        isExact ? IncrementalPlan.of(problem) : IncrementalPlan.of(problem, taskCount);
    assertThat(plan.taskCount()).isEqualTo(taskCount);
    assertThat(plan.recordCount()).isEqualTo(problem.records().size());
    Deque<Model> checkpoints = new ArrayDeque<>();
    for (int step = 0; step < steps; step++) {
      model = step(plan, model, checkpoints, random);
      plan.checkInvariants();
      compare(plan, model, random);
      plan.checkInvariants();
    }
  }

  /** Changes the plan and the model, or takes changes back, and {@return the model} */
  private static Model step(
      IncrementalPlan plan, Model model, Deque<Model> checkpoints, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> {
        plan.checkpoint();
        checkpoints.push(model.copy());
      }
      case 1 -> {
        if (!checkpoints.isEmpty()) {
          plan.rollback();
          return checkpoints.pop();
        }
      }
      case 2 -> {
        if (!checkpoints.isEmpty()) {
          plan.commit();
          checkpoints.pop();
        }
      }
      default -> {
        for (int k = random.nextInt(5); k > 0 && !model.records.isEmpty(); k--) {
          change(plan, model, random);
        }
      }
    }
    return model;
  }

  private static void change(IncrementalPlan plan, Model model, Random random) {
    int index = random.nextInt(model.records.size());
    TensorUsageRecord record = model.records.get(index);
    long a = random.nextLong(model.taskCount);
    long b = random.nextLong(model.taskCount);
    long near = random.nextInt(5) - 2L;
    long first = record.firstTask();
    long last = record.lastTask();
    switch (random.nextInt(6)) {
      case 0 -> {
        first += near;
        last += near;
      }
      case 1 -> first += near;
      case 2 -> last += near;
      case 3 -> {
        first = a;
        last = a;
      }
      case 4 -> {
        first = 0;
        last = model.taskCount - 1;
      }
      default -> {
        first = Math.min(a, b);
        last = Math.max(a, b);
      }
    }
    for (var gap : record.gaps()) {
      first = Math.min(first, gap.firstTask());
      last = Math.max(last, gap.lastTask());
    }
    first = Math.clamp(first, 0, model.taskCount - 1);
    last = Math.clamp(last, first, model.taskCount - 1);
    plan.setLifetime(index, first, last);
    model.records.set(index, record.withLifetime(first, last));
  }

  private static void compare(IncrementalPlan plan, Model model, Random random) {
    PlanProblem problem = model.problem();
    assertThat(plan.loadBytes()).isEqualTo(LowerBounds.of(problem).offsetsBytes());
    int question = random.nextInt(4);
    if (question == 0) {
      return; // the offsets stay stale
    }
    OffsetsAssignment expected = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    if (question == 1) {
      assertThat(plan.totalBytes()).as("%s", problem).isEqualTo(expected.totalBytes());
    } else if (question == 2 && !model.records.isEmpty()) {
      int index = random.nextInt(model.records.size());
      assertThat(plan.offset(index)).as("%s", problem).isEqualTo(expected.offset(index));
    } else {
      assertThat(plan.assignment()).as("%s", problem).isEqualTo(expected);
      assertThat(plan.problem()).isEqualTo(problem);
    }
    if (model.records.stream().allMatch(record -> record.alignment() == 1)) {
      assertThat(plan.assignment().offsets())
          .isEqualTo(NaivePlanners.greedyBySizeOffsets(model.records, model.alignment));
    }
  }
}
