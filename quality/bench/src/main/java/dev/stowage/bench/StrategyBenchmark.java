package dev.stowage.bench;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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

/** The times of the strategies that scale, for one plan. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@State(Scope.Benchmark)
public class StrategyBenchmark {

  /** Generated records, or a file. */
  @Param({"network-10000", "network-100000", "network-1000000"})
  public String source = "";

  private PlanProblem problem = PlanProblem.of(java.util.List.of());

  /** Reads or generates the records. */
  @Setup
  public void read() throws IOException {
    problem = PlanProblem.of(BenchmarkRecords.of(source));
  }

  /** Offsets in the smallest gap. */
  @Benchmark
  public Object greedyBySizeOffsets() {
    return MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
  }

  /** Offsets in the lowest gap. */
  @Benchmark
  public Object tflmGreedyOffsets() {
    return MemoryStrategy.TFLM_GREEDY.planOffsets(problem);
  }

  /** Objects of equal size. */
  @Benchmark
  public Object equalityObjects() {
    return MemoryStrategy.EQUALITY.planObjects(problem);
  }

  /** Objects of the nearest size. */
  @Benchmark
  public Object greedyInOrderObjects() {
    return MemoryStrategy.GREEDY_IN_ORDER.planObjects(problem);
  }

  /** Objects, starting from the tasks with the most bytes. */
  @Benchmark
  public Object greedyByBreadthObjects() {
    return MemoryStrategy.GREEDY_BY_BREADTH.planObjects(problem);
  }
}
