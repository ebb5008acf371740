package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.HostMemories;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arenas and blocks on real memory, each allocation with a pattern that nothing may overwrite. */
class MemoryPoolRandomTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_nothingOverlapsAndNothingIsLost(long seed) {
    Random random = new Random(seed);
    try (HostMemory host = HostMemories.any(random).open()) {
      Run run = new Run(random, host, seed);
      for (int i = 0; i < 200; i++) {
        run.step();
        run.pool.checkInvariants();
      }
      run.end();
      assertThat(host.regionCount()).isZero();
    }
  }

  /** An open arena, its segments, and their pattern. */
  private record Holding(
      MemoryPool pool, Arena arena, List<MemorySegment> segments, byte pattern) {}

  /** A pool in a regime drawn from the seed. */
  private static final class Run {

    private final Random random;
    private final long largest;
    private final PoolOptions options;
    private final MemoryPool pool;
    private final List<MemoryPool> privatePools = new ArrayList<>();
    private final List<Holding> holdings = new ArrayList<>();

    Run(Random random, HostMemory host, long seed) {
      this.random = random;
      largest = 1L << (6 + random.nextInt(12));
      PoolOptions zeroing = PoolOptions.standard();
      PoolOptions chosen = random.nextBoolean() ? zeroing : zeroing.withoutZeroing();
      options = random.nextBoolean() ? chosen : chosen.withDebugging();
      SubAllocator regions = new Refusing(host.newSubAllocator(), random, random.nextInt(40));
      pool = MemoryPool.over("seed " + seed, regions, bfcOptions(), options);
    }

    private BfcOptions bfcOptions() {
      BfcOptions growth = random.nextBoolean() ? BfcOptions.expandable() : BfcOptions.growing();
      BfcOptions dead = growth.withSplitThreshold(1 + random.nextLong(largest));
      BfcOptions trimming =
          random.nextBoolean() ? dead : dead.withTrimThreshold(1 + random.nextLong(largest));
      long limit = (random.nextBoolean() ? 1000 : 30) * largest + (4 << 20);
      return random.nextBoolean() ? trimming : trimming.withLimit(limit).withGarbageCollection();
    }

    void step() {
      int dice = random.nextInt(100);
      if (dice < 30 && holdings.size() < 30) {
        MemoryPool from = anyPool();
        holdings.add(new Holding(from, open(from), new ArrayList<>(), (byte) random.nextInt()));
      } else if (dice < 75 && !holdings.isEmpty()) {
        allocate(holdings.get(random.nextInt(holdings.size())));
      } else if (dice < 97 && !holdings.isEmpty()) {
        close(holdings.remove(random.nextInt(holdings.size())));
      } else if (random.nextInt(3) == 0) {
        openOrClosePrivatePool();
      } else if (options.isDebugging() && random.nextBoolean()) {
        anyPool().checkFreed();
      } else {
        anyPool().trim();
      }
    }

    private MemoryPool anyPool() {
      int index = random.nextInt(privatePools.size() + 2);
      return index < privatePools.size() ? privatePools.get(index) : pool;
    }

    private void openOrClosePrivatePool() {
      if (privatePools.size() < 3) {
        privatePools.add(anyPool().openPrivatePool("tenant"));
        return;
      }
      MemoryPool closed = privatePools.get(random.nextInt(privatePools.size()));
      holdings.forEach(
          holding -> holding.segments().forEach(each -> checkFilled(each, holding.pattern())));
      closed.close();
      assertThat(closed.statistics().reservedBytes()).isZero();
      privatePools.removeIf(each -> each.name().startsWith(closed.name()) && isClosed(each));
      holdings.removeIf(holding -> !holding.arena().scope().isAlive());
      for (Holding holding : holdings) {
        assertThat(isClosed(holding.pool())).isFalse();
      }
    }

    private static boolean isClosed(MemoryPool pool) {
      try (Arena _ = pool.openArena()) {
        return false;
      } catch (IllegalStateException closed) {
        return true;
      }
    }

    private Arena open(MemoryPool from) {
      return random.nextInt(8) == 0 ? from.openSharedArena() : from.openArena();
    }

    private void allocate(Holding holding) {
      long bytes = random.nextLong(largest);
      long alignment = 1L << random.nextInt(13);
      try {
        MemorySegment segment = holding.arena().allocate(bytes, alignment);
        assertThat(segment.address() % alignment).isZero();
        if (options.isZeroing()) {
          checkFilled(segment, (byte) 0);
        }
        segment.fill(holding.pattern());
        holding.segments().add(segment);
      } catch (BfcOutOfMemoryException full) {
        long unused = (256 - bytes % 256) % 256;
        long slack = options.isDebugging() && unused < 16 ? 16 : 0;
        assertThat(full.requestedBytes()).isEqualTo(Math.max(1, bytes) + slack);
      }
    }

    private void close(Holding holding) {
      holding.segments().forEach(segment -> checkFilled(segment, holding.pattern()));
      holding.arena().close();
    }

    void end() {
      if (random.nextBoolean()) {
        while (!holdings.isEmpty()) {
          close(holdings.remove(random.nextInt(holdings.size())));
        }
        privatePools.forEach(MemoryPool::trim);
        assertThat(pool.privatePoolBytes()).isZero();
        assertThat(pool.statistics().bytesInUse()).isZero();
        pool.trim();
        assertThat(pool.statistics().reservedBytes()).isZero();
      }
      holdings.forEach(
          holding -> holding.segments().forEach(each -> checkFilled(each, holding.pattern())));
      pool.close();
      pool.checkInvariants();
      for (Holding holding : holdings) {
        assertThat(holding.arena().scope().isAlive()).isFalse();
      }
    }

    private static void checkFilled(MemorySegment segment, byte pattern) {
      byte[] expected = new byte[(int) segment.byteSize()];
      Arrays.fill(expected, pattern);
      if (segment.mismatch(MemorySegment.ofArray(expected)) != -1) {
        throw new AssertionError("overwritten: " + segment);
      }
    }
  }

  /** Regions of real memory that are refused now and then. */
  private static final class Refusing extends ForwardingSubAllocator {

    private final Random random;
    private final int refusals;

    Refusing(SubAllocator regions, Random random, int refusals) {
      super(regions);
      this.random = random;
      this.refusals = refusals;
    }

    @Override
    public OptionalLong allocate(long bytes) {
      return random.nextInt(100) < refusals ? OptionalLong.empty() : super.allocate(bytes);
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return random.nextInt(100) >= refusals && super.resize(address, bytes, newBytes);
    }
  }
}
