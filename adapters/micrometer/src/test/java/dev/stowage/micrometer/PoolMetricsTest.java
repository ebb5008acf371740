package dev.stowage.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Meters of an allocator without memory. */
class PoolMetricsTest {

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  /** One region of a MiB at an address. */
  private static final class OneRegion implements SubAllocator {

    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(1 << 20);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  private final BfcAllocator allocator =
      new BfcAllocator("test", new OneRegion(), BfcOptions.growing().withLimit(1 << 20));

  private double value(String name, String... tags) {
    return registry.get("stowage.pool." + name).tag("pool", "test").tags(tags).gauge().value();
  }

  private long allocate(String tag, long bytes) {
    return AllocationTag.of(tag).call(() -> allocator.allocate(bytes));
  }

  @Test
  void gauges_firstReadAfterBinding_haveThatMoment() {
    try (PoolMetrics metrics = PoolMetrics.of(allocator)) {
      metrics.bindTo(registry);
      allocator.allocate(1000);

      assertThat(value("requested")).isEqualTo(1000);
    }
  }

  @Test
  void gauges_ofAnAllocator_haveItsStatistics() {
    long first = allocator.allocate(1000);
    allocator.allocate(2000);
    allocator.free(first);
    PoolMetrics.of(allocator).bindTo(registry);
    assertThat(value("used")).isEqualTo(2048);
    assertThat(value("requested")).isEqualTo(2000);
    assertThat(value("reserved")).isEqualTo(1 << 20);
    assertThat(value("peak")).isEqualTo(3072);
    assertThat(value("limit")).isEqualTo(1 << 20);
    assertThat(value("chunks")).isEqualTo(1);
    assertThat(value("largest.free")).isEqualTo((1 << 20) - 3072);
    assertThat(value("fragmentation", "kind", "external"))
        .isEqualTo(allocator.statistics().externalFragmentation());
    assertThat(value("fragmentation", "kind", "internal")).isEqualTo(48 / 2048.0);
    assertThat(registry.get("stowage.pool.allocations").functionCounter().count()).isEqualTo(2);
  }

  @Test
  void limit_ofAnAllocatorWithoutOne_isInfinite() {
    BfcAllocator unlimited =
        new BfcAllocator("test", new OneRegion(), BfcOptions.growing().withLimit(Long.MAX_VALUE));
    PoolMetrics.of(unlimited).bindTo(registry);
    assertThat(value("limit")).isInfinite();
  }

  @Test
  void failures_afterARequestWithoutRoom_areCounted() {
    PoolMetrics.of(allocator).bindTo(registry);
    assertThatThrownBy(() -> allocator.allocate(1 << 21))
        .isInstanceOf(BfcOutOfMemoryException.class);
    assertThat(allocator.tryAllocate(1 << 21, 1)).isEmpty();
    assertThat(registry.get("stowage.pool.failures").functionCounter().count()).isEqualTo(1);
  }

  @Test
  void held_ofTags_isFoundAfterASecond() {
    PoolMetrics.of(allocator).bindTo(registry);
    assertThat(value("tags")).isZero();
    allocate("weights", 1000);
    assertThat(value("tags")).isZero();
    clock.add(Duration.ofSeconds(1));
    assertThat(value("tags")).isEqualTo(1);
    assertThat(value("held", "tag", "weights")).isZero();
    assertThat(value("held", "tag", "(others)")).isEqualTo(1024); // this scrape may lack the meter
    clock.add(Duration.ofSeconds(1));
    assertThat(value("held", "tag", "weights")).isEqualTo(1024);
    assertThat(value("held.allocations", "tag", "weights")).isEqualTo(1);
    assertThat(value("held", "tag", "(others)")).isZero();
  }

  @Test
  void held_ofATagNamedOthers_isASumWithTheOthers() {
    allocate("(others)", 1000);
    allocate("weights", 2000);
    PoolMetrics.of(allocator).bindTo(registry);
    assertThat(value("held", "tag", "(others)")).isEqualTo(1024);
    assertThat(value("tags")).isEqualTo(2);
    assertThat(value("used")).isEqualTo(sum("held")).isEqualTo(3072);
  }

  /** {@return the sum of a meter over its tags, in a scrape that sees these meters} */
  private double sum(String name) {
    return registry.find("stowage.pool." + name).gauges().stream().mapToDouble(Gauge::value).sum();
  }

  @Test
  void held_ofSlots_sumsUpToUsed() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable())) {
      List<MemoryBlock> blocks = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        blocks.add(AllocationTag.of("small").call(() -> pool.allocate(100)));
      }
      blocks.add(pool.allocate(1 << 20));
      PoolMetrics.of(pool).bindTo(registry);
      assertThat(value("tags")).isEqualTo(2);
      assertThat(value("held", "tag", "(others)")).isPositive(); // free slots
      assertThat(value("used")).isEqualTo(sum("held"));
      assertThat(value("chunks")).isEqualTo(sum("held.allocations")).isEqualTo(101);
      blocks.forEach(MemoryBlock::close); // and the slab is empty
      clock.add(Duration.ofSeconds(1));
      assertThat(value("tags")).isZero();
      assertThat(value("used")).isEqualTo(sum("held")).isZero();
    }
  }

  @Test
  void held_whileThreadsAllocate_sumsUpToUsedInEveryScrape() throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable())) {
      PoolMetrics.of(pool).bindTo(registry);
      AtomicBoolean isScraped = new AtomicBoolean();
      FutureTask<Void> allocating =
          new FutureTask<>(() -> {
            Random random = new Random(1);
            while (!isScraped.get()) {
              try (Arena arena = pool.openArena()) {
                for (int i = 0; i < 200; i++) {
                  long bytes = 1L + random.nextInt(random.nextBoolean() ? 1000 : 10_000);
                  AllocationTag.of("tag " + random.nextInt(30)).run(() -> arena.allocate(bytes));
                }
              }
            }
            return null;
          });
      Thread.ofPlatform().start(allocating);
      for (int scrape = 0; scrape < 200; scrape++) {
        clock.add(Duration.ofSeconds(1));
        double held = sum("held");
        assertThat(value("used")).isEqualTo(held);
        assertThat(value("chunks")).isEqualTo(sum("held.allocations"));
      }
      isScraped.set(true);
      allocating.get();
    }
  }

  @Test
  void held_ofMoreTagsThanTheBound_isASum() {
    allocate("small", 1000);
    allocate("large", 3000);
    allocate("medium", 2000);
    long more = allocate("more", 256);
    allocator.allocate(512);
    PoolMetrics.of(allocator).withMaxTags(2).bindTo(registry);
    assertThat(value("tags")).isEqualTo(5);
    assertThat(value("held", "tag", "large")).isEqualTo(3072);
    assertThat(value("held", "tag", "medium")).isEqualTo(2048);
    assertThat(value("held", "tag", "(others)")).isEqualTo(1024 + 256 + 512);
    assertThat(value("held.allocations", "tag", "(others)")).isEqualTo(3);
    assertThat(registry.find("stowage.pool.held").meters()).hasSize(3);
    allocator.free(more);
    clock.add(Duration.ofSeconds(1));
    assertThat(value("held", "tag", "(others)")).isEqualTo(1024 + 512);
    assertThat(registry.find("stowage.pool.held").meters()).hasSize(3);
  }

  @Test
  void held_ofATagWithoutAllocations_isZero() {
    long address = allocate("weights", 1000);
    PoolMetrics.of(allocator).bindTo(registry);
    allocator.free(address);
    clock.add(Duration.ofSeconds(1));
    assertThat(value("held", "tag", "weights")).isZero();
  }

  @Test
  void held_withADepth_isOneMeterForTheFirstNames() {
    AllocationTag.of("search")
        .run(() -> {
          allocate("query", 1000);
          allocate("index", 1000);
        });
    PoolMetrics.of(allocator).withTagDepth(1).bindTo(registry);
    assertThat(value("held", "tag", "search")).isEqualTo(2048);
    assertThat(value("tags")).isEqualTo(1);
  }

  @Test
  void held_withoutATag_isNone() {
    allocator.allocate(1000);
    PoolMetrics.of(allocator).bindTo(registry);
    assertThat(value("held", "tag", "(none)")).isEqualTo(1024);
  }

  @Test
  void close_ofTheMetrics_removesOnlyItsMeters() {
    registry.gauge("mine", 1);
    PoolMetrics metrics = PoolMetrics.of(allocator);
    metrics.bindTo(registry);
    metrics.close();
    assertThat(registry.getMeters()).extracting(Meter::getId).hasSize(1);
  }

  @Test
  void gauges_afterTheAllocatorIsClosed_areZero() {
    PoolMetrics.of(allocator).bindTo(registry);
    allocator.allocate(1000);
    allocator.close();
    clock.add(Duration.ofSeconds(1));
    assertThat(value("used")).isZero();
    assertThat(value("tags")).isZero();
  }

  @Test
  void withMaxTags_belowZero_isRejected() {
    assertThatThrownBy(() -> PoolMetrics.of(allocator).withMaxTags(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxTags must not be negative: maxTags=-1");
  }

  @Test
  void withTagDepth_belowOne_isRejected() {
    assertThatThrownBy(() -> PoolMetrics.of(allocator).withTagDepth(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tagDepth must be positive: tagDepth=0");
  }

  @Test
  void toString_hasTheOptions() {
    assertThat(PoolMetrics.of(allocator))
        .hasToString("PoolMetrics[pool=test, maxTags=20, tagDepth=all]");
    assertThat(PoolMetrics.of(allocator).withMaxTags(3).withTagDepth(1))
        .hasToString("PoolMetrics[pool=test, maxTags=3, tagDepth=1]");
  }
}
