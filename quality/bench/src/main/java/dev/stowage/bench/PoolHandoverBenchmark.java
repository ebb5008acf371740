package dev.stowage.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of an allocation, its exchange for the memory of any thread, and the release of that.
 *
 * <p>The threads share some places. Each puts new memory into a random place and releases the
 * memory that was there.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(2)
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
public class PoolHandoverBenchmark {

  /** A power of two. */
  private static final int PLACES = 64;

  /** The distance of two places, so that each has a cache line. */
  private static final int PLACE_SHIFT = 4;

  /** The kind of memory. */
  @Param public PoolHandover handover = PoolHandover.NOTHING;

  /** The size of an allocation. */
  @Param({"64", "4096"})
  public long bytes;

  private PoolHandover.Memory memory = PoolHandover.NOTHING.open();

  private final AtomicReferenceArray<Object> places =
      new AtomicReferenceArray<>(PLACES << PLACE_SHIFT);

  /** The random numbers of a thread. */
  @State(Scope.Thread)
  public static class Place {

    private long random = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;

    /** {@return a random place, from Marsaglia's xorshift generator} */
    private int next() {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      return ((int) random & (PLACES - 1)) << PLACE_SHIFT;
    }
  }

  /** Fills the places. */
  @Setup
  public void open() {
    memory = handover.open();
    for (int place = 0; place < PLACES; place++) {
      places.set(place << PLACE_SHIFT, memory.allocate(bytes));
    }
  }

  /** Releases all memory. */
  @TearDown
  public void release() {
    for (int place = 0; place < PLACES; place++) {
      memory.release(places.get(place << PLACE_SHIFT));
    }
  }

  /** An allocation, an exchange and a release. */
  @Benchmark
  public void handOver(Place place) {
    memory.release(places.getAndSet(place.next(), memory.allocate(bytes)));
  }
}
