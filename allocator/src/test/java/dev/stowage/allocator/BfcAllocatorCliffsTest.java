package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories after which an operation once took seconds, or overflowed the stack. */
class BfcAllocatorCliffsTest {

  private static final int COUNT = 64_000;

  private static BfcAllocator oneRegion(ScriptedRegions device, long bytes) {
    return new BfcAllocator("gpu", device, BfcOptions.oneRegion(bytes).withSplitThreshold(1));
  }

  /*
   * A caller decides which slot becomes which address: chunks that are cut from the end take the
   * slots that were released last.
   *
   *   | 256 | 256 | guard | 256 | 256 | guard | ...          the second of each pair is released, in
   *   |    512    | guard |    512    | guard | ...  rest    the order of a hash, and used again in
   *   |    512    | guard |    512    | guard | ...  | 256 | 256 | 256 | ...    ascending addresses
   */
  @Test
  void free_manyEqualChunksInTheOrderOfAHashOfTheirSlots_isDone() {
    BfcAllocator allocator = oneRegion(ScriptedRegions.ascending(), 256L * 6 * COUNT);
    long start = allocator.allocate(256);
    assertThat(addresses(allocator, 3 * COUNT - 1, 256)).isEqualTo(every(start + 256, 256));
    // The i-th chunk has slot i + 1: the fence of the region has the first one.
    IntStream.range(0, COUNT)
        .boxed()
        .sorted(Comparator.comparingInt(pair -> murmur(3 * pair + 2)))
        .forEach(pair -> {
          allocator.free(start + 768L * pair);
          allocator.free(start + 768L * pair + 256);
        });
    assertThat(addresses(allocator, COUNT, 512)).isEqualTo(every(start, 768));
    long rest = start + 768L * COUNT;
    assertThat(addresses(allocator, 2 * COUNT, 256)).isEqualTo(every(rest, 256));
    for (int i = 0; i < 2 * COUNT; i += 2) {
      allocator.free(rest + 256L * i);
    }
    allocator.internals().checkInvariants();
    assertThat(addresses(allocator, COUNT, 256)).isEqualTo(every(rest, 512));
    allocator.internals().checkInvariants();
  }

  /** Allocates {@code count} times and {@return the first address and the step, if there is one} */
  private static String addresses(BfcAllocator allocator, int count, long bytes) {
    long first = allocator.allocate(bytes);
    long last = allocator.allocate(bytes);
    long step = last - first;
    for (int i = 2; i < count; i++) {
      long address = allocator.allocate(bytes);
      if (address - last != step) {
        return "no step at the %s-th: %s after %s".formatted(i, address, last);
      }
      last = address;
    }
    return every(first, step);
  }

  private static String every(long first, long step) {
    return "from %s every %s".formatted(first, step);
  }

  /** The finalizer of MurmurHash3. */
  private static int murmur(int slot) {
    int hash = slot;
    hash = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
    hash = (hash ^ (hash >>> 13)) * 0xC2B2AE35;
    return hash ^ (hash >>> 16);
  }

  /*
   *   0           512         1024                        unaligned chunks, free
   *   | in use |  free | in use |  free | ... | in use | in use | in use |
   *                                                    free later, at a multiple of 512
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 1022, 1023, 1024, 1025, 3000})
  void allocate_alignedAmongUnalignedChunks_looksAtThe1024Smallest(int unaligned) {
    ScriptedRegions device = ScriptedRegions.ascending().withAlignment(512);
    BfcAllocator allocator = oneRegion(device, 512L * unaligned + 1280);
    long start = allocator.allocate(256);
    long end = start + 512L * unaligned;
    assertThat(addresses(allocator, 2 * unaligned + 4, 256)).isEqualTo(every(start + 256, 256));
    for (int i = 0; i < unaligned; i++) {
      allocator.free(start + 512L * i + 256);
    }
    allocator.free(end + 512);
    // 256 bytes after all chunks that do not hold it, then 512 that hold it at any address.
    assertThat(allocator.tryAllocate(256, 512))
        .isEqualTo(unaligned < 1024 ? OptionalLong.of(end + 512) : OptionalLong.empty());
    if (unaligned < 1024) {
      allocator.free(end + 512);
    }
    allocator.free(end + 768);
    assertThat(allocator.tryAllocate(256, 512)).hasValue(end + 512);
    allocator.internals().checkInvariants();
  }

  @ParameterizedTest
  @ValueSource(strings = {"growing", "expandable"})
  void allocate_alignedAmongUnalignedChunks_growsAsTheModel(String growth) {
    BfcOptions options =
        growth.equals("growing")
            ? BfcOptions.growing().withSplitThreshold(1)
            : BfcOptions.expandable().withSplitThreshold(1);
    ScriptedRegions device = ScriptedRegions.ascending().withAlignment(512).resizing();
    ScriptedRegions modelDevice = ScriptedRegions.ascending().withAlignment(512).resizing();
    BfcAllocator allocator = new BfcAllocator("gpu", device, options);
    NaiveBfc model = new NaiveBfc(modelDevice, options);
    long[] addresses = new long[2050];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = allocator.allocate(256);
      model.allocate(256, 256);
    }
    for (int i = 1; i < addresses.length; i += 2) {
      allocator.free(addresses[i]);
      model.free(addresses[i]);
    }
    for (long alignment : new long[] {512, 256, 512, 1024, 4096}) {
      assertThat(allocator.tryAllocate(256, alignment)).isEqualTo(model.allocate(256, alignment));
      assertThat(allocator.statistics()).isEqualTo(model.statistics());
      assertThat(device.calls()).isEqualTo(modelDevice.calls());
    }
    allocator.internals().checkInvariants();
  }

  /** A new region may be shorter than the request and the largest padding. */
  @Test
  void allocate_alignedAmongUnalignedChunks_takesANewRegionThatJustHoldsIt() {
    ScriptedRegions device = ScriptedRegions.ascending().withAlignment(4096);
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.expandable().withSplitThreshold(1));
    allocator.free(allocator.allocate(1 << 20));
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 4096; i++) {
      addresses.add(allocator.allocate(256));
    }
    for (int i = 1; i < 4096; i += 2) {
      allocator.free(addresses.get(i));
    }
    long aligned = allocator.allocate(256, 4096);
    assertThat(device.calls()).containsExactly("give 1048576", "keep 1048576 1048832", "give 256");
    assertThat(device.held()).containsEntry(aligned, 256L);
    allocator.internals().checkInvariants();
  }

  @Test
  void allocate_manyWhollyFreeRegions_givesTheLargestBackFirst() {
    int regions = 1_000;
    AtomicLong most = new AtomicLong();
    ScriptedRegions device = ScriptedRegions.giving(bytes -> bytes <= most.get());
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", device, BfcOptions.growing().withLimit(1 << 20).withGarbageCollection());
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      most.set(256L * (1 + i % 4));
      addresses.add(allocator.allocate(most.get()));
    }
    addresses.forEach(allocator::free);
    int calls = device.calls().size();
    assertThat(allocator.tryAllocate(2048, 256)).isEmpty();
    List<String> expected = new ArrayList<>();
    for (int quarters = 4; quarters > 0; quarters--) {
      for (int i = 0; i < regions / 4; i++) {
        expected.add("free " + 256 * quarters);
      }
    }
    assertThat(device.calls().stream().skip(calls).filter(call -> call.startsWith("free")).toList())
        .isEqualTo(expected);
    assertThat(device.held()).isEmpty();
    allocator.internals().checkInvariants();
  }

  // Reports are built without the lock, from a copy.

  @Test
  void copy_chunksChangeAfterwards_isAsItWas() {
    RegionSpace space =
        new RegionSpace(
            "gpu",
            ScriptedRegions.ascending(),
            BfcOptions.oneRegion(4096),
            BestFit.PLACEMENT,
            Relatives.none());
    int first = space.take(256, 256, BestFit.PLACEMENT);
    int second = space.take(512, 256, BestFit.PLACEMENT);
    int third = space.take(256, 256, BestFit.PLACEMENT);
    for (int slot : new int[] {first, second, third}) {
      space.chunks().setOrigin(slot, Origin.of("encoder"));
    }
    space.free(first);
    RegionSpace copy = space.copy(Optional.empty()).orElseThrow();
    String report = new SpaceReader(space).report("gpu").toString();
    List<Allocation> allocations = new SpaceReader(space).allocations();
    space.free(second);
    space.chunks().setOrigin(space.take(2048, 256, BestFit.PLACEMENT), Origin.of("decoder"));
    assertThat(new SpaceReader(space).report("gpu").toString()).isNotEqualTo(report);
    assertThat(new SpaceReader(copy).report("gpu")).hasToString(report);
    assertThat(new SpaceReader(copy).allocations()).isEqualTo(allocations);
  }

  /**
   * With so many chunks, room for a copy is allocated without the lock, and the request is tried
   * again.
   */
  @Test
  void allocate_failsAmongManyChunks_reportsTheSameAsAmongFew() {
    int count = 17_000;
    BfcAllocator allocator = oneRegion(ScriptedRegions.ascending(), 256L * count);
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      addresses.add(allocator.allocate(200));
    }
    for (int i = 1; i < count; i += 2) {
      allocator.free(addresses.get(i));
    }
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> allocator.allocate(512))
        .satisfies(failure -> {
          assertThat(failure).hasMessageContaining("Enough bytes are free, but no hole is");
          assertThat(failure).hasMessageContaining("without allocation 1 of 200 bytes");
          AllocatorReport report = failure.report();
          assertThat(report).isEqualTo(allocator.report());
          assertThat(report.bins())
              .containsExactly(
                  new AllocatorReport.Bin(256, count / 2, 128L * count, count / 2, 128L * count));
        });
    assertThat(allocator.allocations()).hasSize(count / 2);
    assertThat(allocator.inUse().allocations()).isEqualTo(allocator.allocations());
    assertThat(allocator.trim().pinned())
        .singleElement()
        .satisfies(pinned -> assertThat(pinned.allocations()).isEqualTo(count / 2));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> allocator.free(addresses.get(1)))
        .withMessageContaining("already free, inside free chunk [" + addresses.get(1) + ", ");
    allocator.internals().checkInvariants();
  }
}
