package dev.stowage.trace.format;

import static dev.stowage.trace.format.TraceFiles.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.TraceRecorder;
import dev.stowage.trace.replay.SimulatedRegions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recordings of allocators in this process. */
final class JfrRecordingTest {

  private static final long LIMIT_BYTES = 1 << 20;

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(3);
  }

  private byte[] record(Runnable code, String... events) throws IOException {
    try (Recording recording = new Recording()) {
      for (String event : events) {
        recording.enable("dev.stowage." + event);
      }
      recording.start();
      code.run();
      recording.stop();
      Path file = folder.resolve("events.jfr");
      recording.dump(file);
      return Files.readAllBytes(file);
    }
  }

  private static BfcAllocator allocator(String name) {
    return new BfcAllocator(
        name, new SimulatedRegions(true), BfcOptions.growing().withLimit(LIMIT_BYTES));
  }

  private static void allocateAndFree(BfcAllocator allocator, Random random) {
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      if (random.nextInt(5) < 3 || live.isEmpty()) {
        allocator.tryAllocate(1 + random.nextInt(40_000), 1).ifPresent(live::add);
      } else {
        allocator.free(live.remove(random.nextInt(live.size())));
      }
    }
  }

  /** {@return the operations, with the bytes and without the time and the callers} */
  private static List<String> operations(List<AllocationEvent> events) {
    List<String> ids = new ArrayList<>();
    return events.stream()
        .map(event ->
            switch (event) {
              case AllocationEvent.Allocate allocate -> {
                ids.add(allocate.id());
                yield "a " + allocate.bytes();
              }
              case AllocationEvent.Fail fail -> "x " + fail.request().bytes();
              case AllocationEvent.Free free -> "f " + ids.lastIndexOf(free.id());
            })
        .toList();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_recording_hasTheEventsOfTheRecorder(long seed) throws IOException {
    Path csv = folder.resolve("events.csv");
    byte[] recording =
        record(
            () -> {
              try (TraceRecorder recorder = TraceRecorder.create(csv);
                  BfcAllocator allocator =
                      new BfcAllocator(
                          "gpu",
                          new SimulatedRegions(true),
                          BfcOptions.growing().withLimit(LIMIT_BYTES),
                          recorder)) {
                allocateAndFree(allocator, new Random(seed));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            "Allocate",
            "Free");

    List<AllocationEvent> recorded = TraceFiles.events(folder, Files.readAllBytes(csv));
    List<AllocationEvent> events = TraceFiles.events(folder, recording);
    assertThat(operations(events)).isEqualTo(operations(recorded)).hasSizeGreaterThan(500);
    assertThat(events).hasAtLeastOneElementOfType(AllocationEvent.Fail.class);
    assertThat(events.stream().mapToLong(AllocationEvent::time)).isSorted();
  }

  @Test
  void read_allocation_hasTheTagAndTheCaller() throws IOException {
    byte[] recording =
        record(
            () -> {
              try (BfcAllocator allocator = allocator("gpu")) {
                AllocationTag.of("encoder").run(() -> allocator.allocate(1000));
              }
            },
            "Allocate",
            "Free");

    List<AllocationEvent> events = TraceFiles.events(folder, recording);
    assertThat(events).hasSize(1);
    AllocationEvent.Allocate request = (AllocationEvent.Allocate) events.getFirst();
    assertThat(request.tag()).isEqualTo("encoder");
    assertThat(request.origin()).startsWith("tag encoder").endsWith(request.frames().getLast());
    assertThat(request.frames())
        .hasSizeBetween(1, JfrFrames.MAX_FRAMES)
        .first()
        .asString()
        .startsWith("lambda$read_allocation_hasTheTagAndTheCaller$")
        .contains(" at " + JfrRecordingTest.class.getName() + ":");
  }

  @Test
  void read_allocationOfADeepStack_hasAllFrames() throws IOException {
    byte[] recording =
        record(
            () -> {
              try (BfcAllocator allocator = allocator("gpu")) {
                allocateAt(30, allocator);
              }
            },
            "Allocate",
            "Free");

    AllocationEvent.Allocate request =
        (AllocationEvent.Allocate) TraceFiles.events(folder, recording).getFirst();
    assertThat(request.frames().subList(0, 31))
        .allMatch(frame -> frame.startsWith("allocateAt at " + JfrRecordingTest.class.getName()));
    assertThat(request.frames().get(31))
        .startsWith("lambda$read_allocationOfADeepStack_hasAllFrames$");
  }

  private static void allocateAt(int depth, BfcAllocator allocator) {
    if (depth > 0) {
      allocateAt(depth - 1, allocator);
    } else {
      allocator.allocate(1000);
    }
  }

  @Test
  void read_severalAllocators_takesOne() throws IOException {
    byte[] recording =
        record(
            () -> {
              try (BfcAllocator gpu = allocator("gpu");
                  BfcAllocator host = allocator("host")) {
                long first = gpu.allocate(1000);
                long second = host.allocate(2000);
                host.free(second);
                gpu.free(first);
              }
            },
            "Allocate",
            "Free");

    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = TraceFiles.read(folder, recording, TraceOptions.strict(), events);
    assertThat(operations(events)).containsExactly("a 1000", "f 0");
    assertThat(summary.format()).isEqualTo("jfr");
    assertThat(summary.notes())
        .containsExactly(
            "the recording has 2 allocators ('gpu', 'host'); the events of 'gpu' were read");

    events.clear();
    TraceFiles.read(folder, recording, TraceOptions.strict().withDevice(1), events);
    assertThat(operations(events)).containsExactly("a 2000", "f 0");
  }

  @Test
  void read_olderMemory_isAllocatedFirst() throws IOException {
    try (BfcAllocator allocator = allocator("gpu")) {
      long older = allocator.allocate(1000);
      byte[] recording =
          record(
              () -> {
                long later = allocator.allocate(500);
                allocator.free(older);
                allocator.free(later);
              },
              "Allocate",
              "Free");

      List<AllocationEvent> events = new ArrayList<>();
      TraceSummary summary = TraceFiles.read(folder, recording, TraceOptions.strict(), events);
      assertThat(operations(events)).containsExactly("a 1024", "a 500", "f 0", "f 1");
      assertThat(summary.notes())
          .containsExactly(
              "allocations that are older than the recording: 1, with the bytes of their chunks");
    }
  }

  @Test
  void read_recordingWithoutAllocations_isAnError() throws IOException {
    byte[] recording = record(() -> allocateAndFree(allocator("gpu"), new Random(1)));
    assertMalformed(
        folder,
        recording,
        "t: has no dev.stowage.Allocate events, expected a recording that enables"
            + " dev.stowage.Allocate and dev.stowage.Free, or, for Netty from 4.2.4 on,"
            + " io.netty.AllocateBuffer, io.netty.ReallocateBuffer, io.netty.FreeBuffer,"
            + " io.netty.AllocateChunk and io.netty.FreeChunk");
    assertMalformed(
        folder,
        TraceFiles.gzip(recording),
        "t: is a compressed recording of JDK Flight Recorder, expected an uncompressed one; unpack it with gunzip");
  }

  @Test
  void read_cutShort_isAnErrorOrEndsThere() throws IOException {
    byte[] whole =
        record(() -> allocateAndFree(allocator("gpu"), new Random(1)), "Allocate", "Free");
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    assertMalformed(
        folder,
        cut,
        "t: after 0 JFR events: the recording is cut short or damaged here, before event 1");
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedRecordings_areReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] whole =
        record(() -> allocateAndFree(allocator("gpu"), new Random(seed)), "Allocate", "Free");
    for (int i = 0; i < 30; i++) {
      TraceDamageTest.check(folder, TraceDamageTest.damaged(whole, random));
    }
  }
}
