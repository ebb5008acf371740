package dev.stowage.bench;

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
import org.openjdk.jmh.infra.Blackhole;

/** The time of an allocation and its end, in the same thread. */
// The throughputs of threads can be added, unlike their times.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx1g",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dio.netty.leakDetection.level=disabled",
      "-Dslf4j.internal.verbosity=ERROR"
    })
@Warmup(iterations = 10, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 100, time = 5, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class PoolBenchmark {

  /** The way to use memory. */
  @Param public PoolUse use = PoolUse.CONFINED;

  /** The size of an allocation. */
  @Param({"16", "64", "512", "4096", "65536", "1048576"})
  public long bytes;

  private PoolUse.Use opened = (_, _) -> {};

  /** Opens the pool. */
  @Setup
  public void open() {
    opened = use.open();
  }

  /** An allocation and its end. */
  @Benchmark
  public void use(Blackhole blackhole) {
    opened.run(bytes, blackhole);
  }
}
