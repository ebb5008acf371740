package dev.stowage.bench;

import dev.stowage.budget.BudgetPart;
import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.PartBytes;
import dev.stowage.budget.PartPhase;
import dev.stowage.budget.PartSource;
import dev.stowage.budget.PartUnit;
import dev.stowage.budget.SampleAxis;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The times to parse and to evaluate profiles with the parts of {@code stowage budget}: nine with
 * constant bytes and five with samples.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class ModelBudgetBenchmark {

  private static final int CONSTANT_PARTS = 9;
  private static final int SAMPLED_PARTS = 5;

  /** The number of points of each dimension; {@code none} for a model without open dimensions. */
  @Param({"none", "7", "100", "10x10", "2x2x2x2x2x2"})
  public String points = "none";

  private ModelBudget budget = new ModelBudget("m", DimensionRanges.of(), List.of());
  private String profile = "";
  private DimensionValues shape = budget.ranges().first();

  /** Creates the budget. */
  @Setup
  public void create() {
    List<SampleAxis> axes = new ArrayList<>();
    List<DimensionRange> ranges = new ArrayList<>();
    if (!points.equals("none")) {
      for (String count : points.split("x", -1)) {
        String name = "dimension_" + axes.size();
        // Every third size, so that the shape lies between points.
        List<Long> sizes =
            LongStream.range(0, Long.parseLong(count)).map(i -> 1 + 3 * i).boxed().toList();
        axes.add(new SampleAxis(name, sizes));
        ranges.add(new DimensionRange(name, sizes.getFirst(), sizes.getLast()));
      }
    }
    List<BudgetPart> parts = new ArrayList<>();
    for (int i = 0; i < CONSTANT_PARTS; i++) {
      parts.add(
          BudgetPart.of(
              "constant " + i,
              PartSource.CALIBRATED,
              PartUnit.SESSION,
              PartPhase.ALWAYS,
              1_000_000L * i));
    }
    int samples = axes.stream().mapToInt(axis -> axis.points().size()).reduce(1, (a, b) -> a * b);
    long[] values = new long[samples];
    Arrays.setAll(values, i -> 12_345_678L * (i + 1));
    for (int i = 0; i < SAMPLED_PARTS; i++) {
      parts.add(
          new BudgetPart(
              "sampled " + i,
              PartSource.COMPUTED,
              PartUnit.SESSION,
              PartPhase.RUNNING,
              PartBytes.sampled(axes, values)));
    }
    budget = new ModelBudget("model.onnx", new DimensionRanges(ranges), parts);
    profile = budget.toProfile();
    shape = budget.ranges().last();
    for (DimensionRange range : ranges) {
      shape = shape.with(range.name(), range.last() - 1);
    }
  }

  /** The bytes of a shape. */
  @Benchmark
  public long evaluate() {
    MemoryBudget memory = budget.at(shape, 4, 2);
    return memory.highestBytes();
  }

  /** The budget of the text of a profile. */
  @Benchmark
  public ModelBudget parse() {
    return ModelBudget.parse(profile);
  }
}
