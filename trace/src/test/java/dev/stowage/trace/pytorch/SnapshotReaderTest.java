package dev.stowage.trace.pytorch;

import static dev.stowage.trace.pytorch.SnapshotFiles.block;
import static dev.stowage.trace.pytorch.SnapshotFiles.entry;
import static dev.stowage.trace.pytorch.SnapshotFiles.read;
import static dev.stowage.trace.pytorch.SnapshotFiles.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SnapshotReaderTest {

  private static Map<String, Object> rootOf(Object... segments) {
    return Map.of("device_traces", List.of(), "segments", List.of(segments));
  }

  private static void assertMalformed(String problem, Object... segments) {
    assertThatThrownBy(() -> read(rootOf(segments)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: " + problem);
  }

  @Test
  void read_segments_haveAllFieldsAndAscendingAddresses() throws IOException {
    Map<String, Object> small = segment(1 << 21, List.of(block(1024, 700, "inactive")));
    small.put("segment_type", "small");
    small.put("stream", 7L);
    small.put("segment_pool_id", new PoolId(0, 3));
    small.put("is_expandable", true);
    small.put("frames", List.of(Map.of("name", "f", "filename", "a.py", "line", 3L)));
    Map<String, Object> large =
        segment(
            512,
            List.of(
                block(1024, 1000, "active_allocated"),
                block(512, 500, "active_pending_free"),
                block(512, 400, "active_awaiting_free")));
    large.put("segment_type", "large");

    DeviceSnapshot device = read(rootOf(small, large)).device(0).orElseThrow();

    assertThat(device.segments())
        .containsExactly(
            new SnapshotSegment(
                512,
                2048,
                new SegmentLane(0, PoolId.SHARED, false),
                false,
                StackTable.NONE,
                List.of(
                    new SnapshotBlock(512, 1024, 1000, BlockState.ACTIVE, StackTable.NONE),
                    new SnapshotBlock(1536, 512, 500, BlockState.PENDING_FREE, StackTable.NONE),
                    new SnapshotBlock(2048, 512, 400, BlockState.PENDING_FREE, StackTable.NONE))),
            new SnapshotSegment(
                1 << 21,
                1024,
                new SegmentLane(7, new PoolId(0, 3), true),
                true,
                1,
                List.of(
                    new SnapshotBlock(1 << 21, 1024, 700, BlockState.INACTIVE, StackTable.NONE))));
    assertThat(device.reservedBytes()).isEqualTo(3072);
    assertThat(device.stacks().frames(1)).containsExactly(new SnapshotFrame("f", "a.py", 3));
  }

  @Test
  void read_blocksOfOlderVersions_haveTheEndOfTheBlockBeforeAndTheirSize() throws IOException {
    Map<String, Object> first = Map.of("size", 512L, "state", "inactive");
    Map<String, Object> second = Map.of("size", 1024L, "state", "active_allocated");
    Map<String, Object> segment =
        Map.of("address", 4096L, "total_size", 1536L, "blocks", List.of(first, second));

    assertThat(read(rootOf(segment)).device(0).orElseThrow().segments().getFirst().blocks())
        .containsExactly(
            new SnapshotBlock(4096, 512, 512, BlockState.INACTIVE, StackTable.NONE),
            new SnapshotBlock(4608, 1024, 1024, BlockState.ACTIVE, StackTable.NONE));
  }

  private static Map<String, Object> request(long address, long bytes, String file) {
    return Map.of(
        "addr",
        address,
        "real_size",
        bytes,
        "frames",
        List.of(Map.of("name", "f", "filename", file, "line", 3L)));
  }

  /** In PyTorch 2.0, a block has its requests, the latest one first, in place of a stack. */
  @Test
  void read_blocksOfPyTorch20_haveTheirLatestRequest() throws IOException {
    Map<String, Object> used =
        Map.of(
            "size",
            512L,
            "state",
            "active_allocated",
            "history",
            List.of(request(4096, 500, "a.py"), request(4096, 100, "b.py")));
    Map<String, Object> free =
        Map.of("size", 512L, "state", "inactive", "history", List.of(request(4608, 400, "c.py")));
    Map<String, Object> usedWithoutRecording =
        Map.of(
            "size",
            1024L,
            "requested_size",
            1000L,
            "state",
            "active_allocated",
            "history",
            List.of(request(5632, 300, "d.py")));
    Map<String, Object> segment =
        Map.of(
            "address",
            4096L,
            "total_size",
            2048L,
            "blocks",
            List.of(used, free, usedWithoutRecording));

    DeviceSnapshot device = read(rootOf(segment)).device(0).orElseThrow();

    List<SnapshotBlock> blocks = device.segments().getFirst().blocks();
    assertThat(device.stacks().texts(blocks.getFirst().stack())).containsExactly("f at a.py:3");
    assertThat(blocks)
        .containsExactly(
            new SnapshotBlock(4096, 512, 500, BlockState.ACTIVE, blocks.getFirst().stack()),
            new SnapshotBlock(4608, 512, 512, BlockState.INACTIVE, StackTable.NONE),
            new SnapshotBlock(5120, 1024, 1000, BlockState.ACTIVE, StackTable.NONE));
  }

  @Test
  void read_devices_haveTheirSegmentsAndEvents() throws IOException {
    Map<String, Object> ofThree = segment(512, List.of(block(512, 1, "inactive")));
    ofThree.put("device", 3L);
    MemorySnapshot snapshot =
        read(
            Map.of(
                "device_traces",
                List.of(List.of(), List.of(entry("alloc", 8, 1))),
                "segments",
                List.of(ofThree)));

    assertThat(snapshot.devices().stream().map(DeviceSnapshot::index)).containsExactly(0, 1, 3);
    assertThat(snapshot.device(1).orElseThrow().events().count()).isEqualTo(1);
    assertThat(snapshot.device(3).orElseThrow().segments()).hasSize(1);
    assertThat(snapshot.device(2)).isEmpty();
  }

  @Test
  void read_deepStack_isCompleteUpToTheLimit() throws IOException {
    for (int depth : new int[] {40, StackReader.MAX_FRAMES, StackReader.MAX_FRAMES + 1}) {
      List<Object> frames = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int line = 1; line <= depth; line++) {
        frames.add(Map.of("name", "PyEval", "filename", "??", "line", 0L));
        frames.add(Map.of("name", "f", "filename", "a.py", "line", (long) line));
        expected.add("f at a.py:" + line);
      }
      Map<String, Object> alloc = entry("alloc", 512, 100);
      alloc.put("frames", frames);
      DeviceSnapshot device =
          read(Map.of("device_traces", List.of(List.of(alloc)))).device(0).orElseThrow();

      assertThat(device.stacks().texts(device.events().stack(0)))
          .isEqualTo(expected.subList(0, Math.min(depth, StackReader.MAX_FRAMES)));
    }
  }

  @Test
  void read_stacksWithTheSameFrames_shareTheirTexts() throws IOException {
    Map<String, Object> first = entry("alloc", 512, 100);
    Map<String, Object> second = entry("alloc", 1024, 100);
    Map<String, Object> main = Map.of("name", "main", "filename", "a.py", "line", 9L);
    first.put("frames", List.of(main));
    second.put("frames", List.of(Map.of("name", "f", "filename", "a.py", "line", 3L), main));
    DeviceSnapshot device =
        read(Map.of("device_traces", List.of(List.of(first, second)))).device(0).orElseThrow();

    StackTable stacks = device.stacks();
    assertThat(stacks.texts(device.events().stack(1)).getLast())
        .isSameAs(stacks.texts(device.events().stack(0)).getLast());
  }

  @Test
  void read_events_haveAllActionsAndFields() throws IOException {
    Map<String, Object> alloc = entry("alloc", 512, 100);
    alloc.put("stream", 9L);
    alloc.put("time_us", 77L);
    alloc.put("pool_id", new PoolId(2, 0));
    alloc.put("frames", List.of(Map.of("name", "f", "filename", "a.py", "line", 3L)));
    SnapshotEvents events =
        read(Map.of(
                "device_traces",
                List.of(
                    List.of(
                        alloc,
                        entry("free_requested", 512, 100),
                        entry("free_completed", 512, 100),
                        entry("segment_alloc", 0, 2 << 20),
                        entry("segment_free", 0, 2 << 20),
                        entry("segment_map", 0, 2 << 20),
                        entry("segment_unmap", 0, 2 << 20),
                        entry("snapshot", 0, 0),
                        Map.of("action", "oom", "device_free", 5L, "size", 6L),
                        entry("user_defined", 1, 2),
                        5L))))
            .device(0)
            .orElseThrow()
            .events();

    assertThat(events.count()).isEqualTo(SnapshotAction.values().length + 1);
    List<SnapshotAction> actions = List.of(SnapshotAction.values());
    for (int i = 0; i < actions.size(); i++) {
      assertThat(events.action(i)).isEqualTo(actions.get(i));
      assertThat(events.problem(i)).isEmpty();
    }
    assertThat(events.problem(10)).contains("is not a dict with an 'action'");
    assertThat(events.address(0)).isEqualTo(512);
    assertThat(events.bytes(0)).isEqualTo(100);
    assertThat(events.stream(0)).isEqualTo(9);
    assertThat(events.pool(0)).isEqualTo(new PoolId(2, 0));
    assertThat(events.micros(0)).isEqualTo(77);
    assertThat(events.stack(0)).isEqualTo(1);
    assertThat(events.pool(1)).isEqualTo(PoolId.SHARED);
    assertThat(events.stack(1)).isEqualTo(StackTable.NONE);
    assertThat(events.address(8)).isEqualTo(5);
    assertThat(events.bytes(8)).isEqualTo(6);
  }

  @Test
  void read_settings_areThoseOfTheSnapshot() throws IOException {
    SnapshotSettings settings =
        read(Map.of(
                "device_traces",
                List.of(List.of()),
                "allocator_settings",
                Map.of(
                    "PYTORCH_CUDA_ALLOC_CONF",
                    "max_split_size_mb:128",
                    "max_split_size",
                    128L << 20,
                    "garbage_collection_threshold",
                    0.5,
                    "expandable_segments",
                    true,
                    "roundup_power2_divisions",
                    Map.of("1", 4L),
                    "of a newer version",
                    List.of())))
            .device(0)
            .orElseThrow()
            .settings();

    assertThat(settings.text("PYTORCH_CUDA_ALLOC_CONF")).contains("max_split_size_mb:128");
    assertThat(settings.number("max_split_size")).hasValue(128L << 20);
    assertThat(settings.fraction("garbage_collection_threshold")).hasValue(0.5);
    assertThat(settings.flag("expandable_segments")).contains(true);
    assertThat(settings.numbers("roundup_power2_divisions")).containsExactly(Map.entry("1", 4L));
    assertThat(settings.values()).hasSize(5);
    assertThat(settings.text("max_split_size")).isEmpty();
    assertThat(settings.number("expandable_segments")).isEmpty();
    assertThat(settings.fraction("PYTORCH_CUDA_ALLOC_CONF")).isEmpty();
    assertThat(settings.flag("max_split_size")).isEmpty();
    assertThat(settings.numbers("max_split_size")).isEmpty();
  }

  @Test
  void read_unknownFieldsOfEachKind_areIgnored() throws IOException {
    Map<String, Object> entry = entry("alloc", 512, 100);
    entry.put("newer", List.of(Map.of("a", List.of(1L, 2.5, true)), new PoolId(1, 2)));
    Map<String, Object> segment = segment(512, List.of(block(512, 1, "inactive")));
    segment.put("newer", Map.of("state", 1L));

    DeviceSnapshot device =
        read(Map.of(
                "device_traces",
                List.of(List.of(entry)),
                "segments",
                List.of(segment),
                "external_annotations",
                List.of(Map.of("stage", "START", "name", "step", "device", 0L))))
            .device(0)
            .orElseThrow();

    assertThat(device.events().action(0)).isEqualTo(SnapshotAction.ALLOC);
    assertThat(device.segments()).hasSize(1);
  }

  @Test
  void read_invalidSegments_areErrors() {
    Map<String, Object> noAddress = segment(512, List.of());
    noAddress.remove("address");
    assertMalformed("segment 0: has no number 'address'", noAddress);
    assertMalformed(
        "segment 0: has no number 'total_size' of bytes from 1 to 2^63 - 1",
        segment(512, List.of()));
    assertMalformed("segment 0: is not a dict with 'blocks'", 5L);
    assertMalformed("segment 0: is not a dict with 'blocks'", Map.of("address", 5L));
    Map<String, Object> wrong = segment(512, List.of(block(512, 1, "inactive")));
    wrong.put("total_size", 1024L);
    assertMalformed("segment 0: has blocks of 512 bytes, expected the 1024 of the segment", wrong);
    wrong.put("total_size", 256L);
    assertMalformed("segment 0: has block 0 that ends behind the 256 bytes of the segment", wrong);
    Map<String, Object> moved = segment(512, List.of(block(512, 1, "inactive")));
    moved.put("address", 1024L);
    assertMalformed(
        "segment 0: has block 0 at address 512, expected 1024, where the block before ends", moved);
    assertMalformed(
        "segment 0: has block 0 that has no number 'size' of bytes from 1 to 2^63 - 1",
        segment(512, List.of(block(0, 1, "inactive"), block(512, 1, "inactive"))));
    assertMalformed(
        "segment 0: has block 0 that has a 'requested_size' that is not from 0 to 2^63 - 1",
        segment(512, List.of(block(512, -1, "inactive"))));
    Map<String, Object> device = segment(512, List.of(block(512, 1, "inactive")));
    device.put("device", -1L);
    assertMalformed("segment 0: has a 'device' that is not from 0 to 2^31 - 1", device);
    device.put("device", 0L);
    device.put("blocks", 5L);
    assertMalformed("segment 0: has no list 'blocks'", device);
    device.put("blocks", List.of(5L));
    assertMalformed("segment 0: has block 0 that is not a dict with a 'state'", device);
    device.put("blocks", List.of(segment(512, List.of(block(512, 1, "inactive")))));
    assertMalformed("segment 0: has block 0 that is a segment", device);
  }

  @Test
  void read_overlappingSegments_areErrors() {
    Map<String, Object> first = segment(512, List.of(block(1024, 1, "inactive")));
    assertMalformed(
        "the segment at address 512 has 1024 bytes, expected at most 512 up to the next one",
        segment(1024, List.of(block(1024, 1, "inactive"))),
        first);
    assertMalformed(
        "the segment at address 512 has 1024 bytes, expected at most 0 up to the next one",
        segment(512, List.of(block(1024, 1, "inactive"))),
        first);
    assertMalformed(
        "the segment at address 18446744073709551104 has 1024 bytes, expected at most 512 up to the next one",
        segment(-512, List.of(block(1024, 1, "inactive"))));
    assertMalformed(
        "the segments have more than 2^63 - 1 bytes",
        segment(0, List.of(block(1L << 62, 1, "inactive"))),
        segment(1L << 62, List.of(block(1L << 62, 1, "inactive"))));
  }

  @Test
  void read_segmentsThatAreNoList_areAnError() {
    assertThatThrownBy(() -> read(Map.of("device_traces", List.of(), "segments", 5L)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: 'segments' is not a list");
  }
}
