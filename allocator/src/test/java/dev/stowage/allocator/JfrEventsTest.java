package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JfrEventsTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  @TempDir Path directory;

  private List<RecordedEvent> record(Runnable code, String... enabled) throws IOException {
    try (Recording recording = new Recording()) {
      for (String name : enabled) {
        recording.enable(name);
      }
      recording.start();
      code.run();
      recording.stop();
      Path file = directory.resolve("events.jfr");
      recording.dump(file);
      List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
      events.removeIf(event -> !event.getEventType().getName().startsWith("dev.stowage."));
      return events;
    }
  }

  /** {@return an event's name and its own fields} */
  private static String text(RecordedEvent event) {
    List<String> words = new ArrayList<>();
    words.add(event.getEventType().getName().replace("dev.stowage.", ""));
    event.getFields().stream()
        .map(field -> field.getName())
        .filter(
            name -> !List.of("startTime", "eventThread", "stackTrace", "duration").contains(name))
        .forEach(name -> words.add(name + "=" + event.getValue(name)));
    return String.join(" ", words);
  }

  private static void allocateAndFree() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());
    AllocationTag.of("encoder").run(() -> allocator.allocate(1000));
    allocator.free(BASE);
    allocator.close();
  }

  @Test
  void allocateAndFree_enabled_areRecorded() throws IOException {
    List<RecordedEvent> events =
        record(JfrEventsTest::allocateAndFree, "dev.stowage.Allocate", "dev.stowage.Free");
    assertThat(events.stream().map(JfrEventsTest::text))
        .containsExactly(
            "Extend allocator=gpu address=1099511627776 bytes=1048576",
            "Allocate allocator=gpu allocationId=1 address=1099511627776 requestedBytes=1000"
                + " chunkBytes=1024 tag=encoder",
            "Free allocator=gpu allocationId=1 address=1099511627776 chunkBytes=1024",
            "Extend allocator=gpu address=1099511627776 bytes=-1048576");
  }

  /** The front cache passes on each event that a recording enables, and only works without it. */
  @Test
  void allocateAndFree_frontCache_areRecorded() throws IOException {
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", ScriptedRegions.ascending(), BfcOptions.growing().withFrontCache(1 << 20));
    allocator.free(allocator.allocate(1000));
    long before = allocator.allocate(1000);
    List<RecordedEvent> events =
        record(
            () -> {
              allocator.free(before);
              allocator.free(allocator.allocate(1000));
            },
            "dev.stowage.Allocate",
            "dev.stowage.Free");
    assertThat(events.stream().map(JfrEventsTest::text))
        .containsExactly(
            "Free allocator=gpu allocationId=2 address=1099511627776 chunkBytes=1024",
            "Allocate allocator=gpu allocationId=3 address=1099511627776 requestedBytes=1000"
                + " chunkBytes=1024 tag=",
            "Free allocator=gpu allocationId=3 address=1099511627776 chunkBytes=1024");
    allocator.free(allocator.allocate(1000));
    assertThat(record(() -> allocator.free(allocator.allocate(1000)))).isEmpty();
    allocator.internals().checkInvariants();
  }

  @Test
  void allocateAndFree_notEnabled_areNotRecorded() throws IOException {
    assertThat(record(JfrEventsTest::allocateAndFree).stream().map(JfrEventsTest::text))
        .containsExactly(
            "Extend allocator=gpu address=1099511627776 bytes=1048576",
            "Extend allocator=gpu address=1099511627776 bytes=-1048576");
  }

  @Test
  void failures_ofAllocatorAndBudget_areRecorded() throws IOException {
    List<RecordedEvent> events =
        record(() -> {
          BfcAllocator allocator =
              new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(4096));
          allocator.allocate(1024);
          AllocationTag.of("encoder")
              .run(() ->
                  assertThatExceptionOfType(BfcOutOfMemoryException.class)
                      .isThrownBy(() -> allocator.allocate(5000)));
          AllocationBudget budget = AllocationBudget.root("job", allocator, 100);
          AllocationTag.of("decoder")
              .run(() ->
                  assertThatExceptionOfType(BfcOutOfMemoryException.class)
                      .isThrownBy(() -> budget.allocate(200)));
          AllocationTag.of("cache").run(() -> assertThat(budget.tryAllocate(300, 256)).isEmpty());
          AllocationTag.of("copy")
              .run(() -> assertThat(allocator.tryAllocate(3200, 256)).isEmpty());
          AllocationTag.of("queue")
              .run(() ->
                  assertThatExceptionOfType(BfcOutOfMemoryException.class)
                      .isThrownBy(() -> allocator.allocateOrWait(4000, 256, Duration.ZERO)));
        });
    assertThat(events.stream().map(JfrEventsTest::text).skip(1))
        .containsExactly(
            "OutOfMemory allocator=gpu requestedBytes=5000 freeBytes=3072"
                + " largestFreeChunkBytes=3072 verdict=does_not_fit tag=encoder",
            "OutOfMemory allocator=gpu requestedBytes=200 freeBytes=3072"
                + " largestFreeChunkBytes=3072 verdict=limit tag=decoder",
            "OutOfMemory allocator=gpu requestedBytes=300 freeBytes=3072"
                + " largestFreeChunkBytes=3072 verdict=limit tag=cache",
            "OutOfMemory allocator=gpu requestedBytes=3200 freeBytes=3072"
                + " largestFreeChunkBytes=3072 verdict=does_not_fit tag=copy",
            "OutOfMemory allocator=gpu requestedBytes=4000 freeBytes=3072"
                + " largestFreeChunkBytes=3072 verdict=does_not_fit tag=queue");
  }

  @Test
  void unrecorded_anyOperation_leavesNoEvent() throws IOException {
    List<RecordedEvent> events =
        record(
            () -> {
              BfcAllocator allocator =
                  BfcAllocator.unrecorded(
                      "tried", ScriptedRegions.ascending(), BfcOptions.oneRegion(4096));
              allocator.free(allocator.allocate(1000));
              allocator.allocate(1000);
              assertThat(allocator.tryAllocate(5000, 256)).isEmpty();
              assertThatExceptionOfType(BfcOutOfMemoryException.class)
                  .isThrownBy(() -> allocator.allocate(5000));
              allocator.close();
            },
            "dev.stowage.Allocate",
            "dev.stowage.Free");
    assertThat(events).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_somethingInUse_isRecordedAsALeakWithItsTag(boolean hasStacks) throws IOException {
    BfcOptions options = BfcOptions.oneRegion(4096);
    List<RecordedEvent> events =
        record(() -> {
          BfcAllocator allocator =
              new BfcAllocator(
                  "gpu", ScriptedRegions.ascending(), hasStacks ? options.withStacks() : options);
          AllocationTag.of("encoder").run(() -> allocator.allocate(1000));
          allocator.allocate(100);
          allocator.close();
        });
    assertThat(events.stream().map(JfrEventsTest::text))
        .endsWith("Leak allocator=gpu allocations=2 requestedBytes=1100 tag=encoder");
  }

  @Test
  void extend_endMoves_isRecordedWithWhatCameAndWent() throws IOException {
    List<RecordedEvent> events =
        record(() -> {
          BfcAllocator allocator =
              new BfcAllocator(
                  "gpu", ScriptedRegions.ascending().resizing(), BfcOptions.expandable());
          allocator.allocate(1024);
          allocator.free(allocator.allocate(512));
          allocator.trim();
        });
    assertThat(events.stream().map(JfrEventsTest::text))
        .containsExactly(
            "Extend allocator=gpu address=1099511627776 bytes=1024",
            "Extend allocator=gpu address=1099511628800 bytes=512",
            "Extend allocator=gpu address=1099511628800 bytes=-512");
  }
}
