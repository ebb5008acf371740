package dev.stowage.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * The time of a pair: the free of a random block, and the allocation of a block of another size.
 *
 * <p>The threads share one allocator, and divide the live blocks among them.
 */
// The throughputs of threads can be added, unlike their times.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx2g",
      "-XX:MaxDirectMemorySize=64g",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dio.netty.leakDetection.level=disabled",
      "-Dslf4j.internal.verbosity=ERROR"
    })
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 200, time = 5, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class AllocatorPairsBenchmark {

  /** The allocator. */
  @Param public Peer peer = Peer.STOWAGE;

  /** The number of live blocks. */
  @Param({"1", "100", "1000", "100000"})
  public int live;

  /** The sizes of the blocks. */
  @Param public SizeDistribution sizes = SizeDistribution.UNIFORM;

  private PeerAllocator allocator = Peer.STOWAGE.open(0);

  /** Opens the allocator. */
  @Setup
  public void open() {
    allocator = peer.open(live);
  }

  /** A pair. */
  @Benchmark
  public void pair(Blocks blocks) {
    blocks.replaceOne(allocator);
  }

  /** The live blocks of a thread. */
  @State(Scope.Thread)
  public static class Blocks {

    private long[] bytes = {};
    private int firstSlot;
    private int count;
    private long random;

    /** Allocates the blocks. */
    @Setup
    public void fill(AllocatorPairsBenchmark shared, ThreadParams threads) {
      bytes = shared.sizes.draw(shared.sizes.count());
      count = Math.max(1, shared.live / threads.getThreadCount());
      firstSlot = count * threads.getThreadIndex();
      random = 0x9E3779B97F4A7C15L * (1 + threads.getThreadIndex());
      for (int i = 0; i < count; i++) {
        shared.allocator.allocate(firstSlot + i, nextBytes());
      }
    }

    void replaceOne(PeerAllocator allocator) {
      long size = nextBytes();
      int slot = firstSlot + (int) (((random >>> 32) * count) >>> 32);
      allocator.free(slot);
      allocator.allocate(slot, size);
    }

    /** {@return a random size, from Marsaglia's xorshift generator} */
    private long nextBytes() {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      return bytes[(int) random & (bytes.length - 1)];
    }

    /** Frees the blocks. */
    @TearDown(Level.Trial)
    public void free(AllocatorPairsBenchmark shared) {
      for (int i = 0; i < count; i++) {
        shared.allocator.free(firstSlot + i);
      }
    }
  }
}
