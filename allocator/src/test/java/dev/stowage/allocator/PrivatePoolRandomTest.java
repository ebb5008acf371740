package dev.stowage.allocator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trees of private pools, compared with allocators that share nothing and with sums of bytes. */
class PrivatePoolRandomTest {

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(150);
  }

  /** A pool, an allocator that has the same requests alone, and the live allocations in both. */
  private static final class Pool {

    final BfcAllocator allocator;
    final BfcAllocator alone;
    final Map<Long, Long> live = new TreeMap<>();
    final List<Pool> below = new ArrayList<>();

    Pool(BfcAllocator allocator, BfcAllocator alone) {
      this.allocator = allocator;
      this.alone = alone;
    }

    long heldBytes() {
      return allocator.statistics().reservedBytes()
          + below.stream().mapToLong(Pool::heldBytes).sum();
    }

    void check() {
      allocator.internals().checkInvariants();
      assertThat(allocator.privatePoolBytes())
          .isEqualTo(below.stream().mapToLong(Pool::heldBytes).sum());
      assertThat(heldBytes()).isLessThanOrEqualTo(allocator.statistics().limitBytes());
      below.forEach(Pool::check);
    }
  }

  private static BfcOptions options(Random random) {
    BfcOptions options =
        random.nextBoolean()
            ? BfcOptions.growing().withFirstRegion(256L << random.nextInt(8))
            : BfcOptions.expandable();
    return random.nextBoolean() ? options.withSplitThreshold(256) : options;
  }

  private static ScriptedRegions device(long seed) {
    return new ScriptedRegions(ScriptedRegions.Order.ASCENDING, seed, 0).resizing();
  }

  /** {@return the place of an address: the number of its region, and the offset there} */
  private static List<Long> place(BfcAllocator allocator, long address) {
    List<BfcAllocator.Region> regions = allocator.regions();
    for (int i = 0; i < regions.size(); i++) {
      long offset = address - regions.get(i).address();
      if (offset >= 0 && offset < regions.get(i).bytes()) {
        return List.of((long) i, offset);
      }
    }
    throw new AssertionError(address + " is in no region of " + allocator);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void withoutALimit_everyPool_placesAsAlone(long seed) {
    Random random = new Random(seed);
    ScriptedRegions device = device(seed);
    BfcOptions options = options(random);
    Pool root =
        new Pool(
            new BfcAllocator("gpu", device, options),
            new BfcAllocator("alone", device(seed), options));
    List<Pool> pools = new ArrayList<>(List.of(root));
    for (int i = 0; i < 150; i++) {
      Pool pool = pools.get(random.nextInt(pools.size()));
      int dice = random.nextInt(20);
      if (dice == 0 && pools.size() < 5) {
        BfcOptions own = options(random);
        Pool opened =
            new Pool(
                pool.allocator.openPrivatePool("p" + i, own),
                new BfcAllocator("alone", device(seed), own));
        pool.below.add(opened);
        pools.add(opened);
      } else if (dice == 1) {
        assertThat(pool.allocator.trim().bytes()).isEqualTo(pool.alone.trim().bytes());
      } else if (dice < 8 && !pool.live.isEmpty()) {
        long address =
            pool.live.keySet().stream().skip(random.nextInt(pool.live.size())).findFirst().get();
        pool.allocator.free(address);
        pool.alone.free(requireNonNull(pool.live.remove(address)));
      } else {
        long bytes = 1 + random.nextLong(5000);
        long address = pool.allocator.allocate(bytes);
        long alone = pool.alone.allocate(bytes);
        assertThat(place(pool.allocator, address)).isEqualTo(place(pool.alone, alone));
        assertThat(pools.stream().filter(each -> each.live.containsKey(address))).isEmpty();
        pool.live.put(address, alone);
      }
      root.check();
      assertThat(heldBytes(device)).isEqualTo(root.heldBytes());
    }
    root.allocator.close();
    assertThat(device.held()).isEmpty();
  }

  private static long heldBytes(ScriptedRegions device) {
    return device.held().values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void withALimit_everyPool_failsOnlyIfTheBytesAreMissing(long seed) {
    Random random = new Random(seed);
    ScriptedRegions device = new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, 0);
    long limit = 256L * (10 + random.nextInt(300));
    BfcAllocator root =
        new BfcAllocator("gpu", device, BfcOptions.growing().withFirstRegion(256).withLimit(limit));
    List<BfcAllocator> pools = new ArrayList<>(List.of(root));
    Map<Long, BfcAllocator> live = new HashMap<>();
    for (int i = 0; i < 150; i++) {
      BfcAllocator pool = pools.get(random.nextInt(pools.size()));
      int dice = random.nextInt(20);
      if (dice == 0 && pools.size() < 4) {
        pools.add(root.openPrivatePool("p" + i));
      } else if (dice == 1 && pool != root) {
        pool.closeWhenFree();
        pools.remove(pool);
      } else if (dice == 2) {
        pool.trim();
      } else if (dice < 10 && !live.isEmpty()) {
        long address =
            live.keySet().stream().sorted().skip(random.nextInt(live.size())).findFirst().get();
        requireNonNull(live.remove(address)).free(address);
      } else {
        long bytes = 1 + random.nextLong(limit / 3);
        OptionalLong address = pool.tryAllocate(bytes, 256);
        if (address.isPresent()) {
          live.put(address.getAsLong(), pool);
        } else {
          long left = limit - heldBytes(device);
          assertThat((bytes + 255) / 256 * 256).isGreaterThan(left);
          if (pool != root) { // its request has returned the free regions of the allocator
            assertThat(root.trim().bytes()).isZero();
          }
        }
      }
      root.internals().checkInvariants();
      assertThat(heldBytes(device))
          .isEqualTo(root.statistics().reservedBytes() + root.privatePoolBytes())
          .isLessThanOrEqualTo(limit);
    }
    live.forEach((address, pool) -> pool.free(address));
    pools.forEach(BfcAllocator::trim);
    assertThat(device.held()).isEmpty(); // also of the pools that were to end
  }
}
