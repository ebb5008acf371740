package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PytorchAllocatorTest {

  private static final long MIB = 1 << 20;
  private static final OptionalLong NO_LIMIT = OptionalLong.empty();

  static LongStream seeds() {
    return Seeds.of(400);
  }

  private record Live(long address, NaivePytorch.Place place) {}

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void allocate_anyHistoryAndSettings_agreesWithTheModel(long seed) {
    Random random = new Random(seed);
    NaivePytorch model = new NaivePytorch();
    PytorchSettings settings = settings(random, model);
    OptionalLong limit =
        random.nextInt(3) == 0 ? NO_LIMIT : OptionalLong.of((20 + random.nextInt(300)) * MIB);
    model.limit = limit.orElse(Long.MAX_VALUE);
    PytorchAllocator allocator = new PytorchAllocator(settings, limit);
    int streams = 1 + random.nextInt(3);
    int pools = random.nextInt(4) == 0 ? 2 : 1;
    long largest = MIB << random.nextInt(8);
    int frees = 30 + random.nextInt(40);
    List<Live> live = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      if (!live.isEmpty() && random.nextInt(100) < frees) {
        Live freed = live.remove(random.nextInt(live.size()));
        allocator.free(freed.address(), 0);
        model.free(freed.place());
      } else if (random.nextInt(60) == 0) {
        allocator.releaseCached();
        model.emptyCache();
      } else {
        long bytes = bytes(random, largest);
        long stream = random.nextInt(streams);
        long pool = random.nextInt(pools);
        long address = allocator.allocate(bytes, stream, pool);
        NaivePytorch.Place place = model.malloc(bytes, stream, pool);
        assertThat(placeOf(allocator, address)).isEqualTo(place);
        if (place != null) {
          live.add(new Live(address, place));
        }
      }
      assertThat(counts(allocator))
          .containsExactly(
              model.requested(),
              model.inUse(),
              model.reserved(),
              model.peakReserved,
              model.largestFree(),
              model.calls);
    }
  }

  static long bytes(Random random, long largest) {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(2000);
      case 1 -> 1 + random.nextInt((int) (2 * MIB));
      case 2 -> (1 + random.nextInt(30)) * MIB / 2;
      default -> 1 + random.nextLong(largest);
    };
  }

  static PytorchSettings settings(Random random, NaivePytorch model) {
    PytorchSettings settings = PytorchSettings.defaults();
    if (random.nextInt(3) == 0) {
      model.maxSplit = (20 + random.nextInt(40)) * MIB;
      settings = settings.withMaxSplit(model.maxSplit);
    }
    if (random.nextInt(4) == 0) {
      model.maxRounding = (20 + random.nextInt(30)) * MIB;
      settings = settings.withMaxNonSplitRounding(model.maxRounding);
    }
    if (random.nextInt(4) == 0) {
      model.largeSegment = (11 + random.nextInt(20)) * MIB;
      settings = settings.withLargeSegment(model.largeSegment);
    }
    if (random.nextInt(3) == 0) {
      for (int i = 0; i < 16; i++) {
        model.divisions[i] = random.nextBoolean() ? 0 : 1 << random.nextInt(5);
      }
      settings = settings.withRoundup(model.divisions);
    }
    if (random.nextInt(3) == 0) {
      model.fraction = 0.5 + random.nextInt(50) / 100.0;
      settings = settings.withMemoryFraction(model.fraction);
      if (random.nextBoolean()) {
        model.threshold = 0.1 + random.nextInt(80) / 100.0;
        settings = settings.withGarbageCollection(model.threshold);
      }
    }
    model.expandable = random.nextInt(3) == 0;
    return settings.withExpandable(model.expandable);
  }

  private static NaivePytorch.@Nullable Place placeOf(PytorchAllocator allocator, long address) {
    if (address == SimulatedAllocator.REFUSED) {
      return null;
    }
    SimulatedAllocator.Region region = allocator.regionOf(address);
    return new NaivePytorch.Place(region.index(), address - region.address());
  }

  private static List<Long> counts(SimulatedAllocator allocator) {
    return List.of(
        allocator.requestedBytesInUse(),
        allocator.bytesInUse(),
        allocator.reservedBytes(),
        allocator.peakReservedBytes(),
        allocator.largestFreeBytes(),
        allocator.deviceCalls());
  }

  @Test
  void allocate_sizes_determineTheSegments() {
    PytorchAllocator allocator = new PytorchAllocator(PytorchSettings.defaults(), NO_LIMIT);
    allocator.allocate(1, 0, 0);
    allocator.allocate(MIB, 0, 0);
    allocator.allocate(MIB + 1, 0, 0);
    allocator.allocate(10 * MIB, 0, 0);
    allocator.allocate(21 * MIB, 0, 0);
    assertThat(allocator.regions())
        .extracting(SimulatedAllocator.Region::bytes)
        .containsExactly(2 * MIB, 20 * MIB, 22 * MIB);
  }

  @Test
  void allocate_beyondTheLimit_isRefusedWithTheNumbers() {
    PytorchAllocator allocator =
        new PytorchAllocator(PytorchSettings.defaults(), OptionalLong.of(30 * MIB));
    allocator.allocate(2 * MIB, 0, 0);
    assertThat(allocator.allocate(12 * MIB, 1, 0)).isEqualTo(SimulatedAllocator.REFUSED);
    SimulatedAllocator.Refusal refusal = allocator.refusal(12 * MIB, 1, 0);
    assertThat(refusal.verdict()).isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(refusal.reason())
        .isEqualTo(
            "out of memory: 12 MiB (12,582,912 bytes) requested on stream 1, which needs a"
                + " block of 12 MiB and a segment of 12 MiB. The limit permits 10 MiB more, 2 MiB too"
                + " few. The request may use none of the cached blocks that are large enough. In use:"
                + " 2 MiB; cached: 18 MiB; reserved: 20 MiB; limit: 30 MiB (31,457,280 bytes).");
  }

  /** Case 7: pytorch issue 189504, of which pull request 191302 is the fix. */
  @Test
  void allocate_freeOfAnotherStreamEndsInTheRetry_isRefusedAndServedLater() {
    PytorchRules rules = PytorchRules.asRecorded().withLimit(OptionalLong.of(64 * MIB));
    SimulatedAllocator allocator = rules.start(Optional.empty());
    long whole = allocator.allocate(64 * MIB, 0, 0);
    allocator.free(whole, 0);
    long live = allocator.allocate(32 * MIB, 0, 0);
    long waiting = allocator.allocate(32 * MIB, 0, 0);
    allocator.onRetry(() -> {
      if (allocator.isInUse(waiting)) {
        allocator.free(waiting, 0);
      }
    });

    long first = allocator.allocate(32 * MIB, 0, 0);

    assertThat(live).isNotEqualTo(waiting);
    assertThat(first).isEqualTo(SimulatedAllocator.REFUSED);
    assertThat(allocator.rules()).isEqualTo("PyTorch 2.13");
    assertThat(allocator.allocate(32 * MIB, 0, 0)).isEqualTo(waiting);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 60, Long.MAX_VALUE})
  void allocate_moreThanPytorchAccepts_isRefusedWithoutABlock(long bytes) {
    PytorchAllocator allocator = new PytorchAllocator(PytorchSettings.defaults(), NO_LIMIT);
    assertThat(allocator.allocate(bytes, 0, 0)).isEqualTo(SimulatedAllocator.REFUSED);
    assertThat(allocator.refusal(bytes, 0, 0).reason())
        .contains(" bytes) requested on stream 0, and PyTorch rejects requests from 1 EiB on. ")
        .endsWith(" In use: 0 bytes; cached: 0 bytes; reserved: 0 bytes; limit: none.");
  }

  @Test
  void allocate_noBytes_isRejected() {
    PytorchAllocator allocator = new PytorchAllocator(PytorchSettings.defaults(), NO_LIMIT);
    assertThatThrownBy(() -> allocator.allocate(0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bytes must be positive: bytes=0");
  }

  @Test
  void free_unknownAddress_isRejected() {
    PytorchAllocator allocator = new PytorchAllocator(PytorchSettings.defaults(), NO_LIMIT);
    assertThatThrownBy(() -> allocator.free(512, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no allocation is in use at address 512");
  }
}
