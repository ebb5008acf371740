package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Pictures for tests. */
final class Samples {

  static final long MIB = 1L << 20;

  /**
   * A name with markup, the end of a script, and characters that encodings and XML do not allow.
   */
  static final String HOSTILE =
      "</script><img src=x onerror=\"document.title='broken'\">&<!--\u0001\ud800'";

  private Samples() {}

  /*
   * Three tensors in the plan of GREEDY_BY_SIZE, which is smaller than that of NAIVE. c has a hostile name:
   *
   *   4 MiB  +-------+
   *          | conv  |
   *   3 MiB  +-----+-+-----+
   *          |     |  add  |
   *   1 MiB  |     |       +-----+
   *          |     |       |  c  |
   *          +-----+-------+-----+
   *   task   0     3      6 7   9
   */
  static PlanPicture chain() {
    List<TensorUsageRecord> records =
        List.of(
            TensorUsageRecord.of(MIB, 0, 3),
            TensorUsageRecord.of(3 * MIB, 3, 6),
            TensorUsageRecord.of(MIB + 1, 7, 9));
    List<RecordLabel> labels =
        List.of(
            new RecordLabel("10", "conv/Relu6"),
            new RecordLabel("11", "add"),
            new RecordLabel("12", HOSTILE));
    return picture("chain & <b>co</b>", records, labels);
  }

  /** Two records of a model; the name of an operator looks like markup. */
  static PlanPicture model() {
    TypedShape shape = new TypedShape(List.of(1L, 1024L, 1024L), "INT8");
    PlanPicture unnamed =
        picture(
            "model",
            List.of(TensorUsageRecord.of(MIB, 0, 1), TensorUsageRecord.of(MIB, 2, 2)),
            List.of(
                new RecordLabel("10", "conv", Optional.of(shape)), new RecordLabel("11", "add")));
    List<TaskLabel> tasks =
        List.of(
            new TaskLabel("CONV_2D 0", "first"),
            new TaskLabel("<img src=x> 1", ""),
            new TaskLabel("ADD 2", ""));
    return new PlanPicture(
        unnamed.title(),
        tasks,
        unnamed.labels(),
        unnamed.problem(),
        unnamed.plans(),
        unnamed.bestIndex());
  }

  /** Records without names, planned by fast strategies. */
  static PlanPicture of(List<TensorUsageRecord> records) {
    List<RecordLabel> labels = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      labels.add(new RecordLabel("t" + i, "t" + i));
    }
    return picture("sample", records, labels);
  }

  /** Tensors of one MiB with names, in a file with a name. */
  static PlanPicture named(String title, String... names) {
    List<TensorUsageRecord> records = new ArrayList<>();
    List<RecordLabel> labels = new ArrayList<>();
    for (String name : names) {
      labels.add(new RecordLabel("t" + records.size(), name));
      records.add(TensorUsageRecord.of(MIB, records.size(), records.size() + 1));
    }
    return picture(title, records, labels);
  }

  /** Records of which at most 6 bytes are live, with a plan of 7 bytes by TFLM_GREEDY. */
  static PlanPicture aboveTheBound() {
    return of(
        List.of(
            TensorUsageRecord.of(2, 0, 1),
            TensorUsageRecord.of(2, 1, 3),
            TensorUsageRecord.of(3, 3, 5),
            TensorUsageRecord.of(1, 5, 7),
            TensorUsageRecord.of(4, 0, 0),
            TensorUsageRecord.of(3, 7, 8)));
  }

  /** Records with a number of equal peaks: two bytes at each even task, one at each odd task. */
  static PlanPicture peaks(int count) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int task = 0; task < 2 * count - 1; task++) {
      records.add(TensorUsageRecord.of(2 - task % 2, task, task));
    }
    return of(records);
  }

  static PlanPicture random(int recordCount) {
    Random random = new Random(1);
    TensorUsageRecord[] records = new TensorUsageRecord[recordCount];
    Arrays.setAll(
        records,
        i -> {
          long first = random.nextInt(recordCount);
          long last = first + random.nextInt(40);
          return TensorUsageRecord.of(1 + random.nextInt(1 << 20), first, last);
        });
    return of(List.of(records));
  }

  /** The chain with the objects of NAIVE and EQUALITY, and without the offsets of NAIVE. */
  static PlanPicture withObjects() {
    PlanPicture chain = chain();
    List<ShownPlan> plans = new ArrayList<>(chain.plans().subList(1, 3));
    long bound = LowerBounds.of(chain.problem()).objectsBytes();
    for (MemoryStrategy strategy : List.of(MemoryStrategy.NAIVE, MemoryStrategy.EQUALITY)) {
      plans.add(ShownPlan.of(strategy.name(), strategy.planObjects(chain.problem()), bound, false));
    }
    return new PlanPicture("sample.csv", List.of(), chain.labels(), chain.problem(), plans, 0);
  }

  private static PlanPicture picture(
      String title, List<TensorUsageRecord> records, List<RecordLabel> labels) {
    PlanProblem problem = PlanProblem.of(records);
    long bound = LowerBounds.of(problem).offsetsBytes();
    List<ShownPlan> plans = new ArrayList<>();
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.NAIVE, MemoryStrategy.GREEDY_BY_SIZE, MemoryStrategy.TFLM_GREEDY)) {
      OffsetsAssignment offsets = strategy.planOffsets(problem);
      plans.add(ShownPlan.of(strategy.name(), offsets, bound, offsets.totalBytes() == bound));
    }
    // The smaller one of the last two plans is the best, or the first of equals.
    boolean isLastBest = plans.get(2).totalBytes() < plans.get(1).totalBytes();
    return new PlanPicture(title, List.of(), labels, problem, plans, isLastBest ? 2 : 1);
  }
}
