package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each operation of a thread with a front cache, compared with stacks in front of a naive model.
 */
class FrontCacheRandomTest {

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(150);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModel(long seed) {
    Run run = new Run(seed);
    for (int i = 0; i < 400; i++) {
      run.step();
    }
    run.read();
  }

  /** The documented rules, with collections of the JDK. */
  private static final class NaiveCache {

    private final NaiveBfc space;
    private final BfcOptions options;

    /** The free chunks by the smallest size of their class, the last one of a class first. */
    private final TreeMap<Long, Deque<Long>> stacks = new TreeMap<>();

    /** The sizes of the chunks of the cache by address. */
    private final Map<Long, Long> sizes = new HashMap<>();

    private long ungrantedBytes;
    private long creditBytes;
    private int capacity = 32;
    private long hits;

    NaiveCache(SubAllocator device, BfcOptions options) {
      space = new NaiveBfc(device, options);
      this.options = options;
      ungrantedBytes = options.frontCacheBytes();
    }

    private static long up(long bytes) {
      return (bytes + 255) / 256 * 256;
    }

    /** {@return the distance of the class of a size from the next class} */
    private static long step(long size) {
      return Math.max(256, Long.highestOneBit(size) / 32);
    }

    private static long sizeClass(long size) {
      return size / step(size) * step(size);
    }

    private long size(long address) {
      return Objects.requireNonNull(sizes.get(address));
    }

    /** {@return the stack that a request takes a chunk of, or an empty one} */
    private Deque<Long> stack(long size) {
      Deque<Long> own = stacks.getOrDefault(sizeClass(size), new ArrayDeque<>());
      if (!own.isEmpty() && size(own.peek()) >= size) {
        return own;
      }
      return stacks.tailMap(sizeClass(size), false).entrySet().stream()
          .filter(entry -> !entry.getValue().isEmpty())
          .filter(entry -> entry.getKey() + step(entry.getKey()) - 256 <= size + size / 7)
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(new ArrayDeque<>());
    }

    OptionalLong allocate(long bytes, long alignment) {
      Deque<Long> stack = stack(up(bytes));
      if (alignment <= 256 && !stack.isEmpty()) {
        creditBytes += size(stack.peek());
        hits++;
        space.reuse(stack.peek(), bytes);
        return OptionalLong.of(stack.pop());
      }
      boolean isGrowing = !space.holds(bytes, alignment);
      if (isGrowing && (sizes.size() <= 16 || hits >= 16L * sizes.size())) {
        settle();
      }
      OptionalLong address = space.allocate(bytes, alignment);
      if (address.isEmpty() && !sizes.isEmpty()) {
        settle();
        address = space.allocate(bytes, alignment);
      }
      return address;
    }

    void free(long address, long bytes) {
      if (sizes.containsKey(address)) {
        if (size(address) - creditBytes <= ungrantedBytes) {
          grant(size(address));
          push(address);
          return;
        }
        settle();
      }
      long size = space.chunkBytes(address);
      long rest = size - up(bytes);
      if (size > options.frontCacheBytes()
          || rest > size / 8
          || rest >= options.splitThresholdBytes()) {
        if (options.growth() == RegionGrowth.EXPANDABLE
            && options.trimThresholdBytes() < Long.MAX_VALUE) {
          settle(); // the free may call the device
        }
        space.free(address);
        return;
      }
      if (sizes.size() == capacity) {
        settle();
        capacity *= 2;
      }
      if (size - creditBytes > ungrantedBytes) {
        settle();
      }
      grant(size);
      sizes.put(address, size);
      push(address);
    }

    private void grant(long size) {
      if (creditBytes < size) {
        long granted = Math.max(size - creditBytes, options.frontCacheBytes() / 16);
        granted = Math.min(granted, ungrantedBytes);
        ungrantedBytes -= granted;
        creditBytes += granted;
      }
    }

    private void push(long address) {
      long size = size(address);
      stacks.computeIfAbsent(sizeClass(size), _ -> new ArrayDeque<>()).push(address);
      creditBytes -= size;
    }

    void settle() {
      stacks.values().forEach(stack -> stack.forEach(space::release));
      stacks.clear();
      sizes.clear();
      ungrantedBytes = options.frontCacheBytes();
      creditBytes = 0;
      hits = 0;
    }
  }

  private static final class Run {

    private final Random random;
    private final long[] sizes;
    private final int frees;
    private final int reads;
    private final int alignments;
    private final ScriptedRegions device;
    private final ScriptedRegions modelDevice;
    private final BfcAllocator allocator;
    private final NaiveCache model;
    private final TreeMap<Long, Long> live = new TreeMap<>();
    private final List<Long> freed = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      long largest = 1L << (9 + random.nextInt(20));
      sizes = random.longs(1 + random.nextInt(12), 1, largest + 1).toArray();
      frees = 20 + random.nextInt(40);
      reads = random.nextInt(6);
      alignments = random.nextBoolean() ? 1 : 13;
      int refusals = new int[] {0, 0, 10, 50}[random.nextInt(4)];
      int failures = new int[] {0, 0, 10, 70}[random.nextInt(4)];
      boolean resizes = random.nextBoolean();
      device = device(seed, refusals, failures, resizes);
      modelDevice = device(seed, refusals, failures, resizes);
      BfcOptions options = options(largest);
      // The model computes the bytes that regions lack before the first call of the device.
      boolean isRead =
          refusals == 0 && options.growth() != RegionGrowth.EXPANDABLE && random.nextBoolean();
      allocator =
          new BfcAllocator(
              "seed " + seed, isRead ? reading(device, this::statistics) : device, options);
      model = new NaiveCache(isRead ? reading(modelDevice, this::settle) : modelDevice, options);
    }

    private void statistics() {
      assertThat(allocator.statistics().chunksInUse()).isBetween(0L, live.size() + 1L);
    }

    private void settle() {
      model.settle();
    }

    /** {@return a device with a callback that reads the statistics of the allocator} */
    private static SubAllocator reading(ScriptedRegions device, Runnable callback) {
      return new SubAllocator() {
        @Override
        public OptionalLong allocate(long bytes) {
          callback.run();
          return device.allocate(bytes);
        }

        @Override
        public void free(long address, long bytes) {
          callback.run();
          device.free(address, bytes);
        }

        @Override
        public boolean resize(long address, long bytes, long newBytes) {
          callback.run();
          return device.resize(address, bytes, newBytes);
        }
      };
    }

    private static ScriptedRegions device(long seed, int refusals, int failures, boolean resizes) {
      ScriptedRegions device =
          new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, refusals).failing(failures);
      return resizes ? device.resizing() : device;
    }

    private BfcOptions options(long largest) {
      long limit = Math.max(256, random.nextLong(1, 40) * largest);
      BfcOptions options =
          switch (random.nextInt(3)) {
            case 0 -> BfcOptions.oneRegion(limit);
            case 1 -> BfcOptions.growing();
            default -> BfcOptions.expandable();
          };
      options = random.nextBoolean() ? options.withLimit(limit) : options;
      options = random.nextBoolean() ? options.withGarbageCollection() : options;
      options =
          options
              .withFirstRegion(1 + random.nextLong(4 * largest))
              .withSplitThreshold(new long[] {1, 4096, 128 << 20}[random.nextInt(3)])
              .withTrimThreshold(new long[] {1, 1 << 16, Long.MAX_VALUE}[random.nextInt(3)]);
      long cacheBytes = 1 + random.nextLong(random.nextBoolean() ? 4 * largest : 1L << 60);
      return options.withFrontCache(cacheBytes);
    }

    void step() {
      int dice = random.nextInt(100);
      if (dice < frees) {
        if (!live.isEmpty()) {
          free(liveAddress());
        }
      } else if (dice < 90) {
        allocate();
      } else if (dice < 90 + reads) {
        read();
      } else if (dice < 97) {
        freeAgain();
      } else if (dice < 98) {
        allocator.clearPeaks();
        model.settle();
        model.space.clearPeaks();
      } else if (dice < 99) {
        model.settle();
        assertThat(attempt(() -> allocator.trim().bytes())).isEqualTo(attempt(model.space::trim));
      }
      allocator.internals().checkInvariants();
      assertThat(device.calls()).isEqualTo(modelDevice.calls());
    }

    private long liveAddress() {
      return new ArrayList<>(live.keySet()).get(random.nextInt(live.size()));
    }

    private void allocate() {
      long bytes = sizes[random.nextInt(sizes.length)];
      if (random.nextInt(4) == 0) {
        long less = random.nextBoolean() ? 300 : 1 + bytes / 5;
        bytes = Math.max(1, bytes - random.nextLong(less));
      }
      long asked = bytes;
      long alignment = 1L << random.nextInt(alignments);
      Optional<OptionalLong> answer = attempt(() -> allocator.tryAllocate(asked, alignment));
      assertThat(answer).isEqualTo(attempt(() -> model.allocate(asked, alignment)));
      answer.orElse(OptionalLong.empty()).ifPresent(address -> live.put(address, asked));
    }

    private void free(long address) {
      long bytes = Objects.requireNonNull(live.remove(address));
      freed.add(address);
      boolean isFreed = attempt(() -> freed(() -> allocator.free(address))).isPresent();
      assertThat(attempt(() -> freed(() -> model.free(address, bytes))).isPresent())
          .isEqualTo(isFreed);
    }

    private static boolean freed(Runnable free) {
      free.run();
      return true;
    }

    private static <T> Optional<T> attempt(Supplier<T> operation) {
      try {
        return Optional.of(operation.get());
      } catch (UncheckedIOException thrown) {
        return Optional.empty();
      }
    }

    /** Frees an address that was freed, or one near a live allocation. */
    private void freeAgain() {
      long wrong =
          freed.isEmpty() || random.nextBoolean()
              ? (live.isEmpty() ? 0 : liveAddress()) + 1 + random.nextInt(400)
              : freed.get(random.nextInt(freed.size()));
      if (!live.containsKey(wrong)) {
        assertThatIllegalStateException()
            .isThrownBy(() -> allocator.free(wrong))
            .withMessageContaining(" has nothing to free at " + wrong + ": ");
        model.settle();
      }
    }

    void read() {
      model.settle();
      switch (random.nextInt(3)) {
        case 0 -> assertThat(allocator.statistics()).isEqualTo(model.space.statistics());
        case 1 -> assertThat(allocator.regions()).isEqualTo(model.space.regions());
        default -> {
          Map<Long, Long> allocations = new TreeMap<>();
          allocator
              .allocations()
              .forEach(each -> allocations.put(each.address(), each.requestedBytes()));
          assertThat(allocations).isEqualTo(live);
          assertThat(allocator.allocations().stream().map(Allocation::id)).doesNotHaveDuplicates();
        }
      }
    }
  }
}
