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

/** The time of a pair of 1 KiB in memory with many holes of that size, such as pinned memory. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xmx2g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 200, time = 5, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class HolesBenchmark {

  private static final int BYTES = 1 << 10;

  /** The allocator. */
  @Param({"STOWAGE", "STOWAGE_CACHED"})
  public Peer peer = Peer.STOWAGE;

  /** The number of holes, each between two blocks. */
  @Param({"4096", "16384", "65536"})
  public int holes;

  private PeerAllocator allocator = Peer.STOWAGE.open(0);

  /** Allocates the blocks, and frees every other one. */
  @Setup
  public void open() {
    int blocks = 2 * holes + 1;
    allocator = peer.open(blocks);
    for (int i = 0; i < blocks; i++) {
      allocator.allocate(i, BYTES);
    }
    for (int i = 1; i < blocks; i += 2) {
      allocator.free(i);
    }
  }

  /** A pair. */
  @Benchmark
  public void pair() {
    allocator.allocate(1, BYTES);
    allocator.free(1);
  }
}
