package dev.stowage.trace.pytorch;

import static dev.stowage.trace.pytorch.SnapshotFiles.block;
import static dev.stowage.trace.pytorch.SnapshotFiles.entry;
import static dev.stowage.trace.pytorch.SnapshotFiles.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged and hostile snapshots are rejected, or are still snapshots. The hostile ones have 100,000
 * values that refer to 100,000 others, so that a reader that visits all of them does not finish.
 */
final class SnapshotDamageTest {

  private static final int DAMAGES_PER_SEED = 500;
  private static final int MANY = 100_000;

  static LongStream seeds() {
    return Seeds.of(20);
  }

  private static byte[] snapshot() {
    Map<String, Object> frame = Map.of("name", "f", "filename", "a.py", "line", 3L);
    List<Object> frames = List.of(frame, Map.of("name", "g", "filename", "??"), frame);
    Map<String, Object> alloc = entry("alloc", 512, 100);
    alloc.put("frames", frames);
    alloc.put("pool_id", new PoolId(0, 1));
    Map<String, Object> requested = entry("free_requested", 512, 100);
    requested.put("frames", frames);
    Map<String, Object> active = block(1024, 1000, "active_allocated");
    active.put("frames", frames);
    return PickleWriter.pickle(
        Map.of(
            "segments",
            List.of(segment(512, List.of(block(512, 100, "inactive"), active))),
            "device_traces",
            List.of(
                List.of(alloc, requested, entry("free_completed", 512, 100)),
                List.of(entry("free_completed", 9000, 7))),
            "allocator_settings",
            Map.of("PYTORCH_CUDA_ALLOC_CONF", "", "garbage_collection_threshold", 0.5)));
  }

  private static MemorySnapshot read(byte[] bytes) throws IOException {
    return SnapshotReader.read("t", new ByteArrayInputStream(bytes));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void damagedSnapshots_areReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] snapshot = snapshot();
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      byte[] damaged = snapshot.clone();
      if (random.nextInt(4) == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      }
      for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
        damaged[random.nextInt(damaged.length)] =
            random.nextBoolean()
                ? (byte) random.nextInt(256)
                : snapshot[random.nextInt(snapshot.length)];
      }
      try {
        read(damaged).devices().forEach(SnapshotDamageTest::checkHistory);
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageStartingWith("t: ");
      }
    }
  }

  private static void checkHistory(DeviceSnapshot device) {
    SnapshotHistory history = SnapshotHistory.of(device);
    assertThat(history.olderBytes()).isNotNegative();
    assertThat(device.reservedBytes()).isNotNegative();
    for (int i = 0; i < device.events().count(); i++) {
      assertThat(history.allocation(i))
          .isBetween(SnapshotHistory.NONE, history.allocationCount() - 1);
      assertThat(device.stacks().frames(device.events().stack(i)))
          .hasSizeLessThanOrEqualTo(StackReader.MAX_FRAMES);
    }
  }

  /** A pickle, written opcode by opcode. */
  private static final class Opcodes {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Opcodes() {
      add(0x80, 4);
    }

    Opcodes add(int... bytes) {
      Arrays.stream(bytes).forEach(out::write);
      return this;
    }

    Opcodes text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      add(0x8c, bytes.length);
      out.writeBytes(bytes);
      return this;
    }

    Opcodes repeat(int count, int... bytes) {
      for (int i = 0; i < count; i++) {
        add(bytes);
      }
      return this;
    }

    MemorySnapshot read() throws IOException {
      return SnapshotDamageTest.read(out.toByteArray());
    }
  }

  /**
   * {@return opcodes for the root, the outer list and the history, which is value 1 of the memo}
   */
  private static Opcodes history() {
    return new Opcodes().add('}', 0x94).text("device_traces").add(']', ']', 0x94);
  }

  private static SnapshotEvents eventsOf(Opcodes opcodes) throws IOException {
    return opcodes.read().device(0).orElseThrow().events();
  }

  @Test
  void read_listThatContainsItself_isAnEntryWithAProblem() throws IOException {
    Opcodes opcodes = new Opcodes().add('}').text("device_traces");
    SnapshotEvents events = eventsOf(opcodes.add(']', 0x94, 'h', 0, 'a', 's', '.'));

    assertThat(events.count()).isEqualTo(1);
    assertThat(events.problem(0)).isPresent();
  }

  @Test
  void read_deepNesting_isAnEntryWithAProblem() throws IOException {
    SnapshotEvents events =
        eventsOf(history().repeat(MANY, ']').repeat(MANY, 'a').add('a', 's', '.'));

    assertThat(events.count()).isEqualTo(1);
    assertThat(events.problem(0)).contains("is not a dict with an 'action'");
  }

  @Test
  void read_oneLargeEntryManyTimes_isRead() throws IOException {
    Opcodes opcodes = history().add('}', 0x94, '(').text("action").text("alloc");
    opcodes.repeat(MANY, 'K', 1, 'K', 2).add('u', 'a', '(');
    SnapshotEvents events = eventsOf(opcodes.repeat(MANY, 'h', 2).add('e', 'a', 's', '.'));

    assertThat(events.count()).isEqualTo(MANY + 1);
    assertThat(events.problem(MANY)).isPresent();
  }

  @Test
  void read_stackThatGrowsBetweenEntries_isReadOnce() throws IOException {
    Opcodes opcodes = history().add('(', ']', 0x94, '}', 0x94);
    opcodes.text("name").text("f").add('s');
    for (String key : List.of("action", "alloc", "addr", "size", "frames")) {
      opcodes.text(key).add(0x94);
    }
    for (int i = 0; i < MANY; i++) {
      opcodes.add('h', 2, 'h', 3, 'a');
      opcodes.add('}', '(', 'h', 4, 'h', 5, 'h', 6, 'K', 1, 'h', 7, 'K', 1, 'h', 8, 'h', 2, 'u');
      opcodes.add('e', '(');
    }
    SnapshotEvents events = eventsOf(opcodes.add('e', 'a', 's', '.'));

    // The frames, the frame and five keys are entries with problems, as are the grown stacks.
    assertThat(events.count()).isEqualTo(7 + 2 * MANY);
    assertThat(events.action(events.count() - 1)).isEqualTo(SnapshotAction.ALLOC);
    assertThat(events.stack(events.count() - 1)).isEqualTo(1);
  }

  @Test
  void read_oneHistoryForManyDevices_isRead() throws IOException {
    Opcodes opcodes = history().add('}').text("action").text("snapshot").add('s', 'a', 'a', '(');
    MemorySnapshot snapshot = opcodes.repeat(MANY, 'h', 1).add('e', 's', '.').read();

    assertThat(snapshot.devices()).hasSize(MANY + 1);
    assertThat(snapshot.device(MANY).orElseThrow().events().count()).isEqualTo(1);
  }

  @Test
  void read_memoIndexBeyondTheFile_isAnError() {
    assertThatThrownBy(() -> new Opcodes().add('N', 'r', 255, 255, 255, 255, '.').read())
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "t: byte 3: puts value 4294967295 into the memo, expected at most one value for each byte before");
    assertThatThrownBy(() -> new Opcodes().add('j', 255, 255, 255, 255, '.').read())
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: byte 2: takes value 4294967295 of the memo, which does not exist");
  }
}
