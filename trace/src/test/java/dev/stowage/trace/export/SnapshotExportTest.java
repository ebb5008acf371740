package dev.stowage.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.AllocatorSnapshot;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotFrame;
import dev.stowage.trace.pytorch.SnapshotReader;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.PytorchSettings;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.SimulatedRegions;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.replay.XlaRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SnapshotExportTest {

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(60);
  }

  private static AllocatorRules rules(Random random, OptionalLong limitBytes) {
    return switch (random.nextInt(6)) {
      case 0 -> AllocatorRules.bfc(BfcOptions.growing().withFirstRegion(1 << 20));
      case 1 -> AllocatorRules.bfc(BfcOptions.expandable().withTrimThreshold(1 << 20));
      case 2 -> AllocatorRules.rmm(1 << 20, OptionalLong.empty());
      case 3 -> pytorch("expandable_segments:True", limitBytes);
      case 4 -> pytorch("max_split_size_mb:20,roundup_power2_divisions:4", limitBytes);
      default -> pytorch("", limitBytes);
    };
  }

  private static AllocatorRules pytorch(String settings, OptionalLong limitBytes) {
    return PytorchRules.asRecorded()
        .withSettings(PytorchSettings.parse(settings))
        .withLimit(limitBytes);
  }

  private static List<AllocationEvent> events(Random random) {
    List<AllocationEvent> events = new ArrayList<>();
    List<AllocationEvent.Allocate> live = new ArrayList<>();
    int streams = 1 + random.nextInt(3);
    for (int i = 0; i < 400; i++) {
      if (!live.isEmpty() && random.nextInt(100) < 48) {
        AllocationEvent.Allocate freed = live.remove(random.nextInt(live.size()));
        events.add(new AllocationEvent.Free(freed.id(), freed.stream(), i));
      } else {
        long bytes = random.nextInt(20) == 0 ? 0 : 1L + random.nextInt(1 << random.nextInt(26));
        AllocationEvent.Allocate allocate =
            new AllocationEvent.Allocate(
                "n" + i,
                bytes,
                random.nextInt(streams),
                i,
                List.of("f at a.py:" + random.nextInt(5), "g at b.py:1"));
        live.add(allocate);
        events.add(allocate);
      }
    }
    return events;
  }

  /** {@return the addresses of requests that got memory, by their order} */
  private static List<Long> addresses(TraceReplay replay, List<AllocationEvent> events) {
    List<Long> addresses = new ArrayList<>();
    for (AllocationEvent event : events) {
      replay.accept(event);
      OptionalLong address = replay.address(event.id());
      if (event instanceof AllocationEvent.Allocate allocate && address.isPresent()) {
        assertThat(allocate.bytes()).isPositive();
        addresses.add(address.getAsLong());
      }
    }
    return addresses;
  }

  private Path export(AllocatorRules rules, List<AllocationEvent> events, OptionalLong limit)
      throws IOException {
    Path file = folder.resolve("export.pickle");
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    try (SnapshotExport export = new SnapshotExport(replay, limit, file)) {
      events.forEach(export::accept);
      export.finish();
    }
    return file;
  }

  private static List<SnapshotSegment> withoutStacks(List<SnapshotSegment> segments) {
    return segments.stream()
        .map(segment ->
            new SnapshotSegment(
                segment.address(),
                segment.bytes(),
                segment.lane(),
                segment.isExpandable(),
                0,
                segment.blocks().stream()
                    .map(block ->
                        new SnapshotBlock(
                            block.address(),
                            block.bytes(),
                            block.requestedBytes(),
                            block.state(),
                            0))
                    .toList()))
        .toList();
  }

  private static DeviceSnapshot read(Path file) throws IOException {
    return SnapshotReader.read("t", file).device(0).orElseThrow();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void finish_anyReplay_isReadAsTheSameStateAndEvents(long seed) throws IOException {
    Random random = new Random(seed);
    OptionalLong limit = random.nextBoolean() ? OptionalLong.of(300 << 20) : OptionalLong.empty();
    AllocatorRules rules = rules(random, limit);
    List<AllocationEvent> events = events(random);
    TraceReplay expected = new TraceReplay(rules, PlacementConsumer.none());
    List<Long> addresses = addresses(expected, events);

    DeviceSnapshot device = read(export(rules, events, limit));

    assertThat(withoutStacks(device.segments())).isEqualTo(expected.allocator().segments(true));
    SnapshotEvents written = device.events();
    List<Long> writtenAddresses = new ArrayList<>();
    int failures = 0;
    for (int event = 0; event < written.count(); event++) {
      if (written.action(event) == SnapshotAction.ALLOC) {
        writtenAddresses.add(written.address(event));
        assertThat(device.stacks().texts(written.stack(event)))
            .hasSize(2)
            .last()
            .isEqualTo("g at b.py:1");
      } else if (written.action(event) == SnapshotAction.OOM) {
        failures++;
      }
    }
    assertThat(writtenAddresses).isEqualTo(addresses);
    assertThat(failures).isEqualTo((int) expected.result().failures());
  }

  private static AllocatorRules limited(int kind, OptionalLong limitBytes) {
    BfcOptions growing = BfcOptions.growing().withFirstRegion(1 << 20);
    BfcOptions expandable = BfcOptions.expandable();
    return switch (kind) {
      case 0 ->
          AllocatorRules.bfc(
              limitBytes.isPresent() ? growing.withLimit(limitBytes.getAsLong()) : growing);
      case 1 ->
          AllocatorRules.bfc(
              limitBytes.isPresent() ? expandable.withLimit(limitBytes.getAsLong()) : expandable);
      case 2 -> AllocatorRules.rmm(1 << 20, limitBytes);
      case 3 -> new XlaRules(limitBytes);
      case 4 -> pytorch("expandable_segments:True", limitBytes);
      case 5 -> pytorch("max_split_size_mb:20,roundup_power2_divisions:4", limitBytes);
      default -> pytorch("", limitBytes);
    };
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void finish_replayWithALimit_isReadWithTheSameFailures(long seed) throws IOException {
    Random random = new Random(seed);
    OptionalLong limit = OptionalLong.of((40L << 20) + random.nextInt(200 << 20));
    List<AllocationEvent> events = events(random);
    for (int kind = 0; kind < 7; kind++) {
      TraceReplay expected = new TraceReplay(limited(kind, limit), PlacementConsumer.none());
      events.forEach(expected::accept);
      Path file = export(limited(kind, limit), events, limit);
      TraceReplay replay =
          new TraceReplay(limited(kind, OptionalLong.empty()), PlacementConsumer.none());
      TraceReader.read("t", file, TraceOptions.strict(), replay);
      Files.delete(file);

      assertThat(replay.failures()).as("kind %d", kind).isEqualTo(expected.failures());
      assertThat(replay.recordedFailures())
          .as("kind %d", kind)
          .isEqualTo(
              new ReplayResult.RecordedFailures(expected.failures(), expected.failures(), 0));
      assertThat(verdict(replay)).isEqualTo(verdict(expected));
    }
  }

  private static Optional<String> verdict(TraceReplay replay) {
    return replay
        .result()
        .firstFailure()
        .map(failure -> failure.request().bytes() + " " + failure.verdict().word());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void finish_anyReplay_hasEachBlockInASegmentOfItsTime(long seed) throws IOException {
    Random random = new Random(seed);
    List<AllocationEvent> events = events(random);
    DeviceSnapshot device =
        read(export(rules(random, OptionalLong.empty()), events, OptionalLong.empty()));
    SnapshotEvents written = device.events();
    // Backwards from the state at the end, as the viewer does.
    TreeMap<Long, Long> pages = new TreeMap<>();
    TreeMap<Long, Long> blocks = new TreeMap<>();
    for (SnapshotSegment segment : device.segments()) {
      pages.put(segment.address(), segment.bytes());
      segment.blocks().stream()
          .filter(block -> block.state().isActive())
          .forEach(block -> blocks.put(block.address(), block.requestedBytes()));
    }
    for (int event = written.count() - 1; event >= 0; event--) {
      long address = written.address(event);
      long bytes = written.bytes(event);
      switch (written.action(event)) {
        case ALLOC -> assertThat(blocks.remove(address)).isEqualTo(bytes);
        case FREE_COMPLETED -> {
          assertThat(blocks.put(address, bytes)).isNull();
          assertThat(isHeld(pages, address, bytes)).isTrue();
        }
        case SEGMENT_ALLOC, SEGMENT_MAP -> cut(pages, address, bytes);
        case SEGMENT_FREE, SEGMENT_UNMAP -> assertThat(pages.put(address, bytes)).isNull();
        default -> {}
      }
    }
    assertThat(blocks).isEmpty();
  }

  private static boolean isHeld(NavigableMap<Long, Long> pages, long address, long bytes) {
    long end = address;
    Map.Entry<Long, Long> page = pages.floorEntry(end);
    while (page != null && page.getKey() <= end && end < page.getKey() + page.getValue()) {
      end = page.getKey() + page.getValue();
      page = pages.floorEntry(end);
    }
    return end >= address + bytes;
  }

  private static void cut(NavigableMap<Long, Long> pages, long address, long bytes) {
    assertThat(isHeld(pages, address, bytes)).isTrue();
    long end = address + bytes;
    long at = address;
    while (at < end) {
      Map.Entry<Long, Long> page = pages.floorEntry(at);
      long pageEnd = page.getKey() + page.getValue();
      pages.remove(page.getKey());
      if (page.getKey() < at) {
        pages.put(page.getKey(), at - page.getKey());
      }
      if (pageEnd > end) {
        pages.put(end, pageEnd - end);
      }
      at = pageEnd;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_exportWithDefaultsOfPytorch_isReplayedAtTheSameAddresses(long seed) throws IOException {
    List<AllocationEvent> events = events(new Random(seed));
    Path file = export(pytorch("", OptionalLong.empty()), events, OptionalLong.empty());
    TraceReplay again = new TraceReplay(PytorchRules.asRecorded(), PlacementConsumer.none());
    TraceReader.read("t", file, TraceOptions.strict(), again);

    assertThat(again.recordedAddresses()).hasValue(again.result().allocations());
    assertThat(again.allocator().segments(true)).isEqualTo(withoutStacks(read(file).segments()));
  }

  @Test
  void finish_manyEventsAndStacks_isRead() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      events.add(new AllocationEvent.Allocate("a", 512, 0, i, List.of("f" + i), "tag"));
      events.add(new AllocationEvent.Free("a", 0, i));
    }
    DeviceSnapshot device =
        read(export(AllocatorRules.bfc(BfcOptions.growing()), events, OptionalLong.empty()));

    assertThat(device.events().count()).isEqualTo(1 + 3 * 70_000);
    assertThat(device.stacks().texts(device.events().stack(1 + 3 * 69_999)))
        .containsExactly("tag tag", "f69999");
  }

  @Test
  void write_allocatorInUse_hasAllChunksWithTagsAndStacks() throws IOException {
    Path file = folder.resolve("now.pickle");
    Files.writeString(file, "older");
    try (BfcAllocator allocator =
        new BfcAllocator("a", new SimulatedRegions(true), BfcOptions.growing().withStacks())) {
      long first = allocator.allocate(1000);
      long second = AllocationTag.of("model").call(() -> allocator.allocate(2000));
      allocator.free(first);
      AllocatorSnapshot.write(file, allocator.chunks());

      DeviceSnapshot device = read(file);
      assertThat(device.segments()).hasSize(1);
      List<SnapshotBlock> blocks = device.segments().getFirst().blocks();
      assertThat(blocks)
          .extracting(SnapshotBlock::state)
          .containsExactly(BlockState.INACTIVE, BlockState.ACTIVE, BlockState.INACTIVE);
      assertThat(blocks.get(1).address()).isEqualTo(second);
      assertThat(blocks.get(1).requestedBytes()).isEqualTo(2000);
      List<SnapshotFrame> frames = device.stacks().frames(blocks.get(1).stack());
      assertThat(frames.getFirst().name()).isEqualTo("tag model");
      assertThat(frames).anyMatch(frame -> frame.file().equals("SnapshotExportTest.java"));
      allocator.free(second);
    }
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void write_chunkWithSlots_hasTheirNumberAndRequestedBytes() throws IOException {
    Path file = folder.resolve("now.pickle");
    try (BfcAllocator allocator =
        new BfcAllocator("a", new SimulatedRegions(true), BfcOptions.growing())) {
      long slab = allocator.allocate(4096);
      RegionChunks.Slots slots = new RegionChunks.Slots(64, 64, 3, 100);
      AllocatorInternals.of(allocator)
          .reportSlots(_ -> new SlotUse(3, Map.of(slab, slots), List.of()));
      AllocatorSnapshot.write(file, allocator.chunks());
      DeviceSnapshot device = read(file);
      SnapshotBlock block = device.segments().getFirst().blocks().getFirst();
      assertThat(block.requestedBytes()).isEqualTo(100);
      assertThat(device.stacks().frames(block.stack()).getFirst().name())
          .isEqualTo("3 of 64 slots of 64 bytes in use");
      allocator.free(slab);
    }
  }
}
