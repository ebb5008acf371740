package dev.stowage.bench;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.List;
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

/** GREEDY_BY_SIZE offsets compared with the quadratic algorithm of the original. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@State(Scope.Benchmark)
public class GreedyBySizeBenchmark {

  /** Generated records, or a file. */
  @Param({"network-1000", "network-10000", "network-30000"})
  public String source = "";

  private PlanProblem problem = PlanProblem.of(List.of());

  private QuadraticGreedyBySize quadratic = new QuadraticGreedyBySize(List.of());

  /** Reads or generates the records, and checks that both plans have the same size. */
  @Setup
  public void read() throws IOException {
    problem = PlanProblem.of(BenchmarkRecords.of(source));
    quadratic = new QuadraticGreedyBySize(problem.records());
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    if (quadratic.plan() != plan.totalBytes()) {
      throw new AssertionError("the baseline has another result");
    }
  }

  /** The strategy of Stowage. */
  @Benchmark
  public Object indexed() {
    return MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
  }

  /** The algorithm of the original. */
  @Benchmark
  public long quadratic() {
    return quadratic.plan();
  }
}
