package dev.stowage.allocator.slab;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups of slots and chunks, compared with a map of all allocations after every operation. */
class SlabAllocatorRandomTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModel(long seed) {
    Run run = new Run(new Random(seed));
    for (int i = 0; i < 600; i++) {
      run.step();
      run.check();
    }
    run.end();
  }

  /** A group of a test. */
  private static final class Group extends AllocationGroup {

    private final List<Long> addresses = new ArrayList<>();
  }

  /** An allocation in the model. */
  private record Expected(long bytes, String tag) {}

  /** Regions that are refused now and then. */
  private static final class Regions implements SubAllocator {

    private final Random random;
    private final int refusals;
    private long next = 1 << 20;

    Regions(Random random) {
      this.random = random;
      refusals = random.nextInt(30);
    }

    @Override
    public OptionalLong allocate(long bytes) {
      if (random.nextInt(100) < refusals) {
        return OptionalLong.empty();
      }
      long address = next;
      next += bytes + (random.nextBoolean() ? 0 : 1 << 20);
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return newBytes < bytes;
    }
  }

  /** An allocator in a regime drawn from the seed. */
  private static final class Run {

    private final Random random;
    private final BfcAllocator chunks;
    private final SlabAllocator slabs;
    private final int largest;
    private final int tags;
    private final int maxGroups;
    private final int checks;
    private final List<Group> groups = new ArrayList<>();
    private final TreeMap<Long, Expected> expected = new TreeMap<>();
    private long granted;

    Run(Random random) {
      this.random = random;
      BfcOptions growth = random.nextBoolean() ? BfcOptions.expandable() : BfcOptions.growing();
      BfcOptions options = random.nextBoolean() ? growth : growth.withLimit(4 << 20);
      chunks = new BfcAllocator("model", new Regions(random), options);
      slabs = SlabAllocator.withSlabs(chunks, (_, _) -> {});
      largest = 1 << (4 + random.nextInt(15));
      tags = random.nextInt(3);
      maxGroups = 1 + random.nextInt(60);
      checks = 1 + random.nextInt(20);
    }

    void step() {
      int dice = random.nextInt(100);
      if (groups.isEmpty() || (dice < 20 && groups.size() < maxGroups)) {
        groups.add(new Group());
      } else if (dice < 75) {
        String tag = tags == 0 ? "" : "tag" + random.nextInt(tags);
        Group group = groups.get(random.nextInt(groups.size()));
        if (tag.isEmpty() || random.nextInt(3) > 0) {
          allocate(group, "");
        } else {
          AllocationTag.of(tag).run(() -> allocate(group, tag));
        }
      } else if (dice < 97) {
        end(groups.remove(random.nextInt(groups.size())));
      } else if (dice < 98) {
        chunks.trim();
      } else {
        assertThat(slabs.groups())
            .containsExactlyInAnyOrderElementsOf(
                groups.stream().filter(AllocationGroup::isRegistered).toList());
      }
    }

    private void allocate(Group group, String tag) {
      long bytes = 1L + random.nextInt(random.nextInt(8) == 0 ? 20_000 : largest);
      long alignment = 1L << random.nextInt(random.nextInt(4) == 0 ? 11 : 5);
      long address = group.takeSlot(slabs, bytes, alignment);
      if (address == SlabAllocator.NONE) {
        OptionalLong chunk = chunks.tryAllocate(bytes, alignment);
        if (chunk.isEmpty()) {
          return;
        }
        address = chunk.getAsLong();
        group.addChunk(slabs, address);
      }
      assertThat(address % alignment).isZero();
      Map.Entry<Long, Expected> below = expected.lowerEntry(address + bytes);
      assertThat(below == null || below.getKey() + below.getValue().bytes() <= address)
          .as("overlaps")
          .isTrue();
      expected.put(address, new Expected(bytes, tag));
      group.addresses.add(address);
      granted++;
    }

    private Expected expected(long address) {
      return requireNonNull(expected.get(address));
    }

    private void end(Group group) {
      Map<Long, Expected> found = new TreeMap<>();
      group
          .allocations(slabs)
          .forEach(
              each -> found.put(each.address(), new Expected(each.requestedBytes(), each.tag())));
      assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(group.addresses);
      found.forEach((address, each) -> assertThat(each).isEqualTo(expected(address)));
      if (!group.tryEnd(slabs)) {
        group.freeChunks(chunks::free);
        assertThat(group.tryEnd(slabs)).isTrue();
      }
      group.addresses.forEach(expected::remove);
    }

    void check() {
      slabs.checkInvariants();
      if (random.nextInt(checks) > 0) { // reports empty the cache
        return;
      }
      TreeMap<Long, Expected> found = new TreeMap<>();
      for (Allocation each : chunks.allocations()) {
        assertThat(each.bytes()).isGreaterThanOrEqualTo(each.requestedBytes());
        found.put(each.address(), new Expected(each.requestedBytes(), each.tag()));
      }
      assertThat(found).isEqualTo(expected);
      assertThat(chunks.statistics().chunksInUse()).isEqualTo(expected.size());
      assertThat(chunks.statistics().allocations()).isEqualTo(granted);
      long bytes = expected.values().stream().mapToLong(Expected::bytes).sum();
      assertThat(chunks.statistics().requestedBytesInUse()).isEqualTo(bytes);
      assertThat(chunks.statistics().bytesInUse()).isGreaterThanOrEqualTo(bytes);
      chunks.chunks().forEach(region -> region.chunks().forEach(this::checkChunk));
    }

    private void checkChunk(RegionChunks.Chunk chunk) {
      SortedMap<Long, Expected> inside =
          expected.subMap(chunk.address(), chunk.address() + chunk.bytes());
      if (chunk.slots().isEmpty()) {
        assertThat(inside).hasSize(chunk.allocation().isPresent() ? 1 : 0);
        return;
      }
      RegionChunks.Slots slots = chunk.slots().get();
      assertThat(slots.inUse()).isEqualTo(inside.size());
      assertThat(slots.requestedBytes())
          .isEqualTo(inside.values().stream().mapToLong(Expected::bytes).sum());
      assertThat(slots.count() * slots.slotBytes()).isLessThanOrEqualTo(chunk.bytes());
      inside
          .keySet()
          .forEach(address -> assertThat((address - chunk.address()) % slots.slotBytes()).isZero());
    }

    void end() {
      groups.forEach(this::end);
      groups.clear();
      slabs.checkInvariants();
      assertThat(chunks.statistics().bytesInUse()).isZero();
      assertThat(slabs.closeIf(List::isEmpty)).isTrue();
      assertThat(chunks.statistics().chunksInUse()).isZero();
      chunks.close();
    }
  }
}
