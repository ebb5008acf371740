package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The structures of chunks and regions, compared with collections of the JDK. */
class StructuresRandomTest {

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void freeChunks_anyChanges_agreeWithATreeSet(long seed) {
    Random random = new Random(seed);
    long quanta = 1L << (1 + random.nextInt(16));
    int distinct = 1 + random.nextInt(2000);
    int frees = 20 + random.nextInt(60);
    long[] sizes = random.longs(8, 1, quanta + 1).toArray();
    boolean fewSizes = random.nextBoolean();
    ChunkTable chunks = new ChunkTable();
    FreeChunks free = new FreeChunks(chunks);
    TreeSet<Integer> model =
        new TreeSet<>(
            Comparator.<Integer>comparingLong(chunks::bytes).thenComparingLong(chunks::address));
    List<Integer> slots = new ArrayList<>();
    TreeSet<Long> addresses = new TreeSet<>();
    for (int step = 0; step < 600; step++) {
      long bytes = 256 * (fewSizes ? sizes[random.nextInt(8)] : 1 + random.nextLong(quanta));
      long address = 256L * random.nextInt(distinct);
      if (!slots.isEmpty() && random.nextInt(100) < frees) {
        int slot = takeOut(free, slots, random, bytes, 1L << random.nextInt(14));
        assertThat(model.remove(slot)).isTrue();
        assertThat(free.contains(slot)).isFalse();
        slots.removeIf(other -> other == slot);
        addresses.remove(chunks.address(slot));
        chunks.remove(slot);
      } else if (addresses.add(address)) {
        int slot = chunks.add(address, bytes);
        assertThat(free.contains(slot)).isFalse();
        free.add(slot);
        model.add(slot);
        slots.add(slot);
      }
      assertAgree(free, chunks, model, bytes, 1L << random.nextInt(14));
      free.checkInvariants();
    }
    assertThat(slots).allMatch(free::contains);
  }

  /** Removes a chunk, in one of three ways, and {@return it} */
  private static int takeOut(
      FreeChunks free, List<Integer> slots, Random random, long bytes, long alignment) {
    boolean aligned = random.nextBoolean();
    int first = free.first(bytes, aligned ? alignment : 1);
    if (first != ChunkTable.NONE && random.nextBoolean()) {
      assertThat(aligned ? free.takeFirst(bytes, alignment) : free.takeFirst(bytes))
          .isEqualTo(first);
      return first;
    }
    int slot = slots.get(random.nextInt(slots.size()));
    free.remove(slot);
    return slot;
  }

  private static void assertAgree(
      FreeChunks free, ChunkTable chunks, SortedSet<Integer> model, long bytes, long alignment) {
    assertThat(free.count()).isEqualTo(model.size());
    assertThat(free.largest() == ChunkTable.NONE ? 0 : chunks.bytes(free.largest()))
        .isEqualTo(model.isEmpty() ? 0 : chunks.bytes(model.last()));
    assertThat(free.first(bytes, alignment))
        .isEqualTo(
            model.stream()
                .filter(slot -> holds(chunks, slot, bytes, alignment))
                .findFirst()
                .orElse(ChunkTable.NONE));
    if (model.isEmpty()) {
      assertThat(free.takeFirst(bytes)).isEqualTo(ChunkTable.NONE);
      assertThat(free.takeFirst(bytes, alignment)).isEqualTo(ChunkTable.NONE);
    }
  }

  private static boolean holds(ChunkTable chunks, int slot, long bytes, long alignment) {
    long aligned = Math.ceilDiv(chunks.address(slot), alignment) * alignment;
    return aligned + bytes <= chunks.end(slot);
  }

  @Test
  void bin_sizes_binsOfTheReference() {
    for (int bin = 0; bin < FreeChunks.BIN_COUNT - 1; bin++) {
      assertThat(FreeChunks.bin(256L << bin)).isEqualTo(bin);
      assertThat(FreeChunks.bin((512L << bin) - 256)).isEqualTo(bin);
    }
    assertThat(FreeChunks.bin(256L << 20)).isEqualTo(20);
    assertThat(FreeChunks.bin(Long.MAX_VALUE - 255)).isEqualTo(20);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void chunkIndex_addedAndRemoved_findsAsAHashMap(long seed) {
    Random random = new Random(seed);
    int distinct = 1 + random.nextInt(random.nextBoolean() ? 20 : 2000);
    int stride = random.nextInt(40);
    int frees = 20 + random.nextInt(60);
    ChunkTable chunks = new ChunkTable();
    ChunkIndex index = new ChunkIndex(chunks);
    Map<Long, Integer> model = new HashMap<>();
    for (int step = 0; step < 3000; step++) {
      long address = (256L * random.nextInt(distinct)) << stride;
      if (random.nextInt(100) >= frees) {
        chunks.makeRoom();
        index.makeRoom();
        model.computeIfAbsent(
            address,
            absent -> {
              int slot = chunks.add(absent, 256);
              index.add(slot);
              return slot;
            });
      } else if (model.containsKey(address)) {
        int slot = model.remove(address);
        index.remove(slot);
        chunks.remove(slot);
      }
      long other = (256L * random.nextInt(distinct)) << stride;
      assertThat(index.find(other)).isEqualTo(model.getOrDefault(other, ChunkTable.NONE));
      assertThat(index.find(other + 1)).isEqualTo(ChunkTable.NONE);
      assertThat(chunks.count()).isEqualTo(model.size());
      assertThat(index.count()).isEqualTo(model.size());
    }
    model.forEach((address, slot) -> assertThat(index.find(address)).isEqualTo(slot));
  }

  /*
   * The model is the list of sizes, in the order of addresses; it is cut and joined at random, and
   * some chunks are in use.
   */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void chunkTable_cutAndMerged_neighboursAsInAList(long seed) {
    Random random = new Random(seed);
    int cuts = 30 + random.nextInt(50);
    ChunkTable chunks = new ChunkTable();
    int start = chunks.add(1 << 20, 256 << 12);
    List<Long> model = new ArrayList<>(List.of(256L << 12));
    List<Integer> slots = new ArrayList<>(List.of(start));
    for (int step = 0; step < 1000; step++) {
      int position = random.nextInt(slots.size());
      int slot = slots.get(position);
      long bytes = model.get(position);
      if (random.nextInt(100) < cuts && bytes > 256) {
        long front = 256 * random.nextLong(1, bytes / 256);
        slots.add(position + 1, chunks.cut(slot, front));
        model.set(position, front);
        model.add(position + 1, bytes - front);
      } else if (position + 1 < slots.size()) {
        chunks.mergeWithNext(slot);
        slots.subList(position + 1, position + 2).clear();
        model.set(position, bytes + model.remove(position + 1));
      }
      int other = slots.get(random.nextInt(slots.size()));
      chunks.use(other, 7, step);
      assertThat(chunks.isFree(other)).isFalse();
      assertThat(chunks.requestedBytes(other)).isEqualTo(7);
      assertThat(chunks.allocationId(other)).isEqualTo(step);
      chunks.free(other);
      assertThat(chunks.isFree(other)).isTrue();
    }
    assertTiles(chunks, slots, model);
  }

  private static void assertTiles(ChunkTable chunks, List<Integer> slots, List<Long> model) {
    assertThat(chunks.count()).isEqualTo(model.size());
    long address = 1 << 20;
    for (int i = 0; i < model.size(); i++) {
      int slot = slots.get(i);
      assertThat(chunks.address(slot)).isEqualTo(address);
      assertThat(chunks.bytes(slot)).isEqualTo(model.get(i));
      assertThat(chunks.previous(slot)).isEqualTo(i == 0 ? ChunkTable.NONE : slots.get(i - 1));
      assertThat(chunks.next(slot))
          .isEqualTo(i + 1 == slots.size() ? ChunkTable.NONE : slots.get(i + 1));
      address = chunks.end(slot);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void regionManager_anyChanges_agreesWithATreeMap(long seed) {
    Random random = new Random(seed);
    int places = 1 + random.nextInt(60);
    RegionManager regions = new RegionManager();
    TreeMap<Long, AllocationRegion> model = new TreeMap<>();
    for (int step = 0; step < 500; step++) {
      // A region ends at the next place at most.
      long address = (random.nextInt(places) - places / 2) * 4096L;
      AllocationRegion present = model.get(address);
      if (present == null) {
        long bytes = 256L * (1 + random.nextInt(16));
        AllocationRegion region = new AllocationRegion(address, bytes, step);
        regions.add(region);
        model.put(address, region);
      } else if (random.nextBoolean()) {
        regions.remove(present);
        model.remove(address);
      }
      assertThat(regions.regions()).containsExactlyElementsOf(model.values());
      assertThat(regions.bytes())
          .isEqualTo(model.values().stream().mapToLong(AllocationRegion::bytes).sum());
      long sought = (random.nextInt(places + 2) - places / 2 - 1) * 4096L + random.nextInt(4096);
      Map.Entry<Long, AllocationRegion> floor = model.floorEntry(sought);
      boolean isIn = floor != null && sought < floor.getKey() + floor.getValue().bytes();
      assertThat(regions.find(sought).orElse(null)).isSameAs(isIn ? floor.getValue() : null);
    }
  }

  /** An operation that needs no heap after it has started cannot fail half-way. */
  @Test
  void chunkTable_madeRoom_addsFourChunksWithoutMemory() throws ReflectiveOperationException {
    ChunkTable chunks = new ChunkTable();
    ChunkIndex index = new ChunkIndex(chunks);
    for (int i = 0; i < 1000; i++) {
      chunks.makeRoom();
      index.makeRoom();
      List<Object> before = arrays(chunks, index);
      chunks.addFence(1024L * i + 1024);
      for (int j = 0; j < 3; j++) {
        index.add(chunks.add(1024L * i + 256L * j, 256));
      }
      List<Object> after = arrays(chunks, index);
      for (int j = 0; j < before.size(); j++) {
        assertThat(after.get(j)).isSameAs(before.get(j));
      }
    }
  }

  private static List<Object> arrays(Object... owners) throws ReflectiveOperationException {
    List<Object> arrays = new ArrayList<>();
    for (Object owner : owners) {
      for (Field field : owner.getClass().getDeclaredFields()) {
        if (field.getType().isArray()) {
          field.setAccessible(true);
          arrays.add(field.get(owner));
        }
      }
    }
    assertThat(arrays).hasSize(3);
    return arrays;
  }
}
