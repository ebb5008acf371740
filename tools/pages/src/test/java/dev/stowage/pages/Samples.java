package dev.stowage.cli.picture;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.input.TaskLabel;
import dev.stowage.cli.input.TypedShape;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    return new PlanPicture(
        unnamed.title(),
        List.of(
            new TaskLabel("CONV_2D 0", "first"),
            new TaskLabel("<img src=x> 1", ""),
            new TaskLabel("ADD 2", "")),
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

  /** The chain with the objects of NAIVE and EQUALITY. */
  static PlanPicture withObjects() {
    PlanReport chain = report(chain().problem().records(), chain().labels());
    PlanProblem problem = chain().problem();
    List<Plan> plans = new ArrayList<>(chain.plans());
    for (MemoryStrategy strategy : List.of(MemoryStrategy.NAIVE, MemoryStrategy.EQUALITY)) {
      plans.add(
          new Plan.Objects(strategy, strategy.planObjects(problem), false, 0, Optional.empty()));
    }
    return PlanPicture.of(new PlanReport(chain.input(), chain.bounds(), plans, List.of()));
  }

  private static PlanPicture picture(
      String title, List<TensorUsageRecord> records, List<RecordLabel> labels) {
    PlanPicture picture = PlanPicture.of(report(records, labels));
    return new PlanPicture(
        title,
        picture.tasks(),
        picture.labels(),
        picture.problem(),
        picture.plans(),
        picture.bestIndex());
  }

  private static PlanReport report(List<TensorUsageRecord> records, List<RecordLabel> labels) {
    PlanProblem problem = PlanProblem.of(records);
    LowerBounds bounds = LowerBounds.of(problem);
    List<Plan> plans = new ArrayList<>();
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.NAIVE, MemoryStrategy.GREEDY_BY_SIZE, MemoryStrategy.TFLM_GREEDY)) {
      var assignment = strategy.planOffsets(problem);
      boolean isOptimal = assignment.totalBytes() == bounds.offsetsBytes();
      plans.add(new Plan.Offsets(strategy, assignment, isOptimal, 0, Optional.empty()));
    }
    InputFile file = new InputFile("sample.csv", "csv", 1, OptionalLong.empty(), List.of());
    return new PlanReport(
        new PlanInput.Tensors(file, labels, problem), Optional.of(bounds), plans, List.of());
  }
}
