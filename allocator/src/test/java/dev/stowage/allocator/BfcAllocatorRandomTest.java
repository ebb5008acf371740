package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.testing.Seeds;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation, compared with a naive model on an equal device. */
class BfcAllocatorRandomTest {

  static LongStream seeds() {
    return seeds(600);
  }

  /** {@return the seed of -Dtests.seed=N, or many seeds} */
  static LongStream seeds(int howMany) {
    return Seeds.of(howMany);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModel(long seed) {
    Run run = new Run(seed);
    for (int i = 0; i < 300; i++) {
      run.step();
      run.check();
    }
    if (seed % 2 == 0) {
      run.freeAll();
      run.trimAll();
    }
    run.close();
  }

  /** One allocator and its model, in a regime drawn from the seed. */
  private static final class Run {

    private final Random random;
    private final long largest;
    private final long[] sizes;
    private final boolean fewSizes;
    private final int alignments;
    private final int frees;
    private final ScriptedRegions device;
    private final ScriptedRegions modelDevice;
    private final BfcAllocator allocator;
    private final NaiveBfc model;
    private final List<Long> live = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      largest = 1L << (4 + random.nextInt(26));
      sizes = random.longs(4, 1, largest + 1).toArray();
      fewSizes = random.nextBoolean();
      alignments = random.nextBoolean() ? 1 : 13;
      frees = 20 + random.nextInt(40);
      List<ScriptedRegions.Order> orders = List.of(ScriptedRegions.Order.values());
      ScriptedRegions.Order order = orders.get(random.nextInt(orders.size()));
      int refusals = new int[] {0, 0, 10, 50, 90}[random.nextInt(5)];
      long granularity = 256L << (random.nextBoolean() ? 0 : random.nextInt(14));
      boolean resizes = random.nextInt(4) > 0;
      int failures = new int[] {0, 0, 10, 70}[random.nextInt(4)];
      long aligned = 256L << (random.nextBoolean() ? 0 : random.nextInt(8));
      device = device(order, seed, refusals, granularity, resizes).failing(failures);
      modelDevice = device(order, seed, refusals, granularity, resizes).failing(failures);
      device.withAlignment(aligned);
      modelDevice.withAlignment(aligned);
      if (random.nextInt(4) == 0) {
        device.fixed();
        modelDevice.fixed();
      }
      BfcOptions options = options();
      allocator = new BfcAllocator("seed " + seed, device, options);
      model = new NaiveBfc(modelDevice, options);
    }

    private static ScriptedRegions device(
        ScriptedRegions.Order order, long seed, int refusals, long granularity, boolean resizes) {
      ScriptedRegions device =
          new ScriptedRegions(order, seed, refusals).withGranularity(granularity);
      return resizes ? device.resizing() : device;
    }

    private BfcOptions options() {
      RegionGrowth growth =
          List.of(RegionGrowth.ONE_REGION, RegionGrowth.DOUBLING, RegionGrowth.EXPANDABLE)
              .get(random.nextInt(3));
      long limit = Math.max(256, random.nextLong(1, 20) * largest + random.nextInt(1000));
      long first = new long[] {1, 1000, 1 << 16, 1 << 20}[random.nextInt(4)];
      long dead = new long[] {1, 4096, 1 << 20, 128 << 20}[random.nextInt(4)];
      long trim = new long[] {1, 1 << 16, Long.MAX_VALUE}[random.nextInt(3)];
      boolean unlimited = growth != RegionGrowth.ONE_REGION && random.nextInt(3) == 0;
      BfcOptions drawn =
          Presets.of(growth, unlimited ? Long.MAX_VALUE : limit)
              .withFirstRegion(first)
              .withSplitThreshold(dead)
              .withTrimThreshold(trim);
      return random.nextBoolean() ? drawn.withGarbageCollection() : drawn;
    }

    void step() {
      int dice = random.nextInt(100);
      if (dice < frees) {
        if (!live.isEmpty()) {
          free(live.remove(random.nextInt(live.size())));
        }
      } else if (dice < 94) {
        allocate();
      } else if (dice < 96) {
        trim();
      } else if (dice < 97) {
        allocator.clearPeaks();
        model.clearPeaks();
      } else if (dice < 98) {
        setLimit();
      } else {
        freeAddressNotInUse();
      }
    }

    private void trim() {
      Optional<TrimResult> result = attempt(allocator::trim);
      assertThat(result.map(TrimResult::bytes)).isEqualTo(attempt(model::trim));
      result.ifPresent(trimmed ->
          assertThat(
                  trimmed.pinned().stream()
                      .map(pin -> List.of(pin.address(), pin.freeBytes(), pin.pin().address())))
              .isEqualTo(model.pinned()));
    }

    private void setLimit() {
      AllocatorStatistics before = allocator.statistics();
      long around = random.nextBoolean() ? before.bytesInUse() : 20 * largest;
      long limit =
          random.nextInt(4) == 0 && allocator.options().growth() != RegionGrowth.ONE_REGION
              ? Long.MAX_VALUE
              : Math.max(256, random.nextLong(around + 1000));
      Optional<LimitChange> change = attempt(() -> allocator.setLimit(limit));
      assertThat(change.isPresent())
          .isEqualTo(attempt(() -> freed(model::setLimit, limit)).isPresent());
      AllocatorStatistics after = allocator.statistics();
      assertThat(after.limitBytes()).isEqualTo(Math.max(limit, after.reservedBytes()));
      change.ifPresent(done -> {
        assertThat(done.requestedBytes()).isEqualTo(limit);
        assertThat(done.limitBytes()).isEqualTo(after.limitBytes());
        assertThat(done.releasedBytes()).isEqualTo(before.reservedBytes() - after.reservedBytes());
        assertThat(done.isReached()).isEqualTo(after.limitBytes() == limit);
      });
    }

    /** {@return the result, or empty if the device has thrown} */
    private static <T> Optional<T> attempt(Supplier<T> operation) {
      try {
        return Optional.of(operation.get());
      } catch (UncheckedIOException thrown) {
        return Optional.empty();
      }
    }

    private void allocate() {
      long bytes = fewSizes ? sizes[random.nextInt(4)] : 1 + random.nextLong(largest);
      long alignment = 1L << random.nextInt(alignments);
      Optional<OptionalLong> answer = attempt(() -> allocator.tryAllocate(bytes, alignment));
      assertThat(answer).isEqualTo(attempt(() -> model.allocate(bytes, alignment)));
      OptionalLong address = answer.orElse(OptionalLong.empty());
      if (address.isPresent()) {
        assertThat(address.getAsLong() % Math.max(256, alignment)).isZero();
        live.add(address.getAsLong());
      }
    }

    private void free(long address) {
      assertThat(attempt(() -> freed(allocator::free, address)))
          .isEqualTo(attempt(() -> freed(model::free, address)));
    }

    private static boolean freed(LongConsumer free, long address) {
      free.accept(address);
      return true;
    }

    private void freeAddressNotInUse() {
      List<BfcAllocator.Region> regions = allocator.regions();
      long address = random.nextLong();
      if (!regions.isEmpty() && random.nextBoolean()) {
        BfcAllocator.Region region = regions.get(random.nextInt(regions.size()));
        address = region.address() + random.nextLong(region.bytes());
      } else if (!live.isEmpty() && random.nextBoolean()) {
        address = live.get(random.nextInt(live.size())) + random.nextInt(512);
      }
      long wrong = address;
      if (!model.isInUse(wrong)) {
        assertThatIllegalStateException()
            .isThrownBy(() -> allocator.free(wrong))
            .withMessageStartingWith("allocator 'seed ")
            .withMessageContaining(" has nothing to free at " + wrong + ": ");
      }
    }

    void check() {
      allocator.internals().checkInvariants();
      assertThat(allocator.statistics()).isEqualTo(model.statistics());
      assertThat(allocator.regions()).isEqualTo(model.regions());
      assertThat(device.calls()).isEqualTo(modelDevice.calls());
    }

    void freeAll() {
      while (!live.isEmpty()) {
        free(live.remove(random.nextInt(live.size())));
        check();
      }
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(allocator.statistics().requestedBytesInUse()).isZero();
    }

    void trimAll() {
      device.failing(0);
      modelDevice.failing(0);
      long reserved = allocator.statistics().reservedBytes();
      assertThat(allocator.trim().bytes()).isEqualTo(reserved).isEqualTo(model.trim());
      check();
      assertThat(device.held()).isEmpty();
      assertThat(allocator.statistics().reservedBytes()).isZero();
    }

    /**
     * With any allocations in use, and any failures of the device, all regions are returned in the
     * end.
     */
    void close() {
      while (attempt(() -> freed(_ -> allocator.close(), 0)).isEmpty()) {
        allocator.internals().checkInvariants();
        assertThat(allocator.statistics().bytesInUse()).isZero();
        assertThat(allocator.regions())
            .isNotEmpty()
            .allMatch(
                region -> Long.valueOf(region.bytes()).equals(device.held().get(region.address())));
      }
      allocator.internals().checkInvariants();
      assertThat(device.held()).isEmpty();
    }
  }
}
