package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of queued copies and fills, and of their order. */
abstract class StreamTests {

  abstract Device open();

  /** A device, a region of zeros, a stream and host memory for one test. */
  private record Bench(Device device, long address, int bytes, DeviceStream stream, Arena arena) {

    MemorySegment host(byte[] contents) {
      return arena.allocateFrom(ValueLayout.JAVA_BYTE, contents);
    }
  }

  /** A test. */
  private interface Body {
    void run(Bench bench) throws Exception;
  }

  private void withStream(Body body) throws Exception {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = Contents.zeros(device, bytes);
      try (Arena arena = Arena.ofShared();
          DeviceStream stream = device.openStream()) {
        body.run(new Bench(device, address, Math.toIntExact(bytes), stream, arena));
      }
      device.free(address, bytes);
    }
  }

  @Test
  void device_ofAStream_isItsOwn() throws Exception {
    withStream(bench -> assertThat(bench.stream.device()).isSameAs(bench.device));
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "3,5", "7,64", "13,1021", "0,4096", "1,4095", "4095,1", "4096,0"})
  void copies_anyRange_areAsImmediateOnes(int offset, int count) throws Exception {
    withStream(bench -> {
      byte[] contents = Contents.bytes(1, count);
      MemorySegment target = bench.host(new byte[count + 2]);
      bench.stream.copyFromHost(bench.host(contents), bench.address + offset);
      bench.stream.copyToHost(bench.address + offset, target.asSlice(1, count));
      bench.stream.synchronize();
      byte[] expected = new byte[count + 2];
      System.arraycopy(contents, 0, expected, 1, count);
      Contents.checkSame(Contents.read(target), expected);
      byte[] region = new byte[bench.bytes];
      System.arraycopy(contents, 0, region, offset, count);
      Contents.check(bench.device, bench.address, region);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,4096,1", "1,1,-1", "3,5,-128", "13,1021,85", "4095,1,0", "4096,0,3"})
  void fill_anyRange_changesItAlone(int offset, int count, byte value) throws Exception {
    withStream(bench -> {
      bench.stream.fill(bench.address + offset, count, value);
      bench.stream.synchronize();
      byte[] expected = new byte[bench.bytes];
      Arrays.fill(expected, offset, offset + count, value);
      Contents.check(bench.device, bench.address, expected);
    });
  }

  @Test
  void stream_severalThings_doesThemInOrder() throws Exception {
    withStream(bench -> {
      byte[] model = new byte[bench.bytes];
      MemorySegment ones = bench.host(Contents.bytes(2, 1000));
      for (int i = 0; i < 30; i++) {
        bench.stream.fill(bench.address + i, 2000, (byte) i);
        Arrays.fill(model, i, i + 2000, (byte) i);
        bench.stream.copyFromHost(ones, bench.address + 31L * i);
        MemorySegment.copy(ones, ValueLayout.JAVA_BYTE, 0, model, 31 * i, 1000);
        bench.stream.copy(bench.address + 500, bench.address + 2100 + i, 1500);
        System.arraycopy(model, 500, model, 2100 + i, 1500);
      }
      MemorySegment back = bench.host(new byte[bench.bytes]);
      bench.stream.copyToHost(bench.address, back);
      bench.stream.synchronize();
      Contents.checkSame(Contents.read(back), model);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,1", "3,5", "7,64", "0,4096", "4096,0"})
  void copyFrom_anotherDevice_isInTheOrderOfTheStream(int offset, int count) throws Exception {
    withStream(bench -> {
      try (Device other = open()) {
        long region = Contents.zeros(other, bench.bytes);
        byte[] contents = Contents.bytes(4, count);
        other.copyFromHost(MemorySegment.ofArray(contents), region);
        bench.stream.fill(bench.address, bench.bytes, (byte) 1);
        bench.stream.copyFrom(other, region, bench.address + offset, count);
        bench.stream.fill(bench.address, offset, (byte) 2);
        bench.stream.synchronize();
        byte[] expected = new byte[bench.bytes];
        Arrays.fill(expected, (byte) 1);
        Arrays.fill(expected, 0, offset, (byte) 2);
        System.arraycopy(contents, 0, expected, offset, count);
        Contents.check(bench.device, bench.address, expected);
        other.free(region, bench.bytes);
      }
    });
  }

  @Test
  void copyFrom_itsOwnDevice_isACopyWithinIt() throws Exception {
    withStream(bench -> {
      bench.stream.fill(bench.address, 16, (byte) 7);
      bench.stream.copyFrom(bench.device, bench.address, bench.address + 16, 16);
      bench.stream.synchronize();
      byte[] expected = new byte[bench.bytes];
      Arrays.fill(expected, 0, 32, (byte) 7);
      Contents.check(bench.device, bench.address, expected);
    });
  }

  // @throws IllegalArgumentException as Device.copyFrom
  @Test
  void copyFrom_noSuchRange_throwsAndNothingChanges() throws Exception {
    withStream(bench -> {
      try (Device other = open()) {
        long region = Contents.zeros(other, bench.bytes);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> bench.stream.copyFrom(other, region + 1, bench.address, bench.bytes))
            .withMessage(Range.noSuchRange(other, region + 1, bench.bytes));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> bench.stream.copyFrom(other, region, bench.address + 1, bench.bytes))
            .withMessage(Range.noSuchRange(bench.device, bench.address + 1, bench.bytes));
        bench.stream.synchronize();
        Contents.check(bench.device, bench.address, new byte[bench.bytes]);
        other.free(region, bench.bytes);
      }
    });
  }

  // Waits until all work … has completed: in all of its streams
  @Test
  void synchronize_ofTheDevice_waitsForAllStreams() throws Exception {
    withStream(bench -> {
      try (DeviceStream second = bench.device.openStream()) {
        bench.stream.fill(bench.address, 1000, (byte) 1);
        second.fill(bench.address + 1000, 1000, (byte) 2);
        try (DeviceEvent first = bench.stream.record();
            DeviceEvent last = second.record()) {
          bench.device.synchronize();
          assertThat(first.isDone()).isTrue();
          assertThat(last.isDone()).isTrue();
        }
      }
      bench.device.synchronize(); // also without work
    });
  }

  @Test
  void copies_ofStagingMemory_areTheSame() throws Exception {
    withStream(bench -> {
      MemorySegment staging = bench.device.allocateStaging(3000, bench.arena);
      byte[] contents = Contents.bytes(3, 3000);
      MemorySegment.copy(contents, 0, staging, ValueLayout.JAVA_BYTE, 0, 3000);
      bench.stream.copyFromHost(staging.asSlice(5, 1000), bench.address + 1);
      bench.stream.copyToHost(bench.address + 1, staging.asSlice(1500, 1000));
      bench.stream.synchronize();
      System.arraycopy(contents, 5, contents, 1500, 1000);
      Contents.checkSame(Contents.read(staging), contents);
    });
  }

  @Test
  void event_ofAStreamWithoutWork_comes() throws Exception {
    withStream(bench -> {
      try (DeviceEvent event = bench.stream.record()) {
        event.await();
        event.await();
        assertThat(event.isDone()).isTrue();
      }
    });
  }

  @Test
  void await_event_waitsForEarlierWork() throws Exception {
    withStream(bench -> {
      MemorySegment back = bench.host(new byte[bench.bytes]);
      byte[] expected = new byte[bench.bytes];
      for (byte i = 1; i < 20; i++) {
        bench.stream.fill(bench.address, bench.bytes, i);
        bench.stream.copyToHost(bench.address, back);
        try (DeviceEvent event = bench.stream.record()) {
          event.await();
          assertThat(event.isDone()).isTrue();
          Arrays.fill(expected, i);
          Contents.checkSame(Contents.read(back), expected);
        }
      }
    });
  }

  @Test
  void await_inAnotherThread_waitsForConfinedMemoryToo() throws Exception {
    withStream(bench -> {
      try (Arena confined = Arena.ofConfined();
          ExecutorService other = Executors.newSingleThreadExecutor()) {
        MemorySegment source = confined.allocate(100).fill((byte) 7);
        MemorySegment target = confined.allocate(100);
        bench.stream.copyFromHost(source, bench.address);
        bench.stream.copyToHost(bench.address, target);
        try (DeviceEvent event = bench.stream.record()) {
          other.submit(event::await).get();
          assertThat(event.isDone()).isTrue();
          Contents.checkSame(Contents.read(target), Contents.read(source));
        }
        bench.stream.synchronize();
      }
    });
  }

  @Test
  void isDone_polled_becomesTrueAtOnceAfterSynchronize() throws Exception {
    withStream(bench -> {
      bench.stream.fill(bench.address, bench.bytes, (byte) 1);
      try (DeviceEvent event = bench.stream.record()) {
        bench.stream.synchronize();
        assertThat(event.isDone()).isTrue();
      }
    });
  }

  @Test
  void isDoneWithin_enoughTime_waitsForTheWork() throws Exception {
    withStream(bench -> {
      bench.stream.fill(bench.address, bench.bytes, (byte) 1);
      try (DeviceEvent event = bench.stream.record()) {
        assertThat(event.isDoneWithin(Duration.ofDays(1))).isTrue();
        assertThat(event.isDone()).isTrue();
        assertThat(event.isDoneWithin(Duration.ZERO)).isTrue();
      }
    });
  }

  @Test
  void waitFor_eventOfAnotherStream_ordersTheTwo() throws Exception {
    withStream(bench -> {
      try (DeviceStream second = bench.device.openStream()) {
        byte[] expected = new byte[bench.bytes];
        MemorySegment back = bench.host(new byte[bench.bytes]);
        DeviceStream[] streams = {bench.stream, second};
        for (byte i = 1; i < 40; i++) {
          DeviceStream now = streams[i % 2];
          now.fill(bench.address + i, bench.bytes - i, i);
          Arrays.fill(expected, i, bench.bytes, i);
          try (DeviceEvent event = now.record()) {
            streams[1 - i % 2].waitFor(event);
          } // closed while the stream waits for it
        }
        streams[0].copyToHost(bench.address, back);
        streams[0].synchronize();
        Contents.checkSame(Contents.read(back), expected);
      }
    });
  }

  @Test
  void waitFor_eventOfTheSameStream_waitsForNothing() throws Exception {
    withStream(bench -> {
      bench.stream.fill(bench.address, 1, (byte) 1);
      try (DeviceEvent event = bench.stream.record()) {
        bench.stream.waitFor(event);
        bench.stream.fill(bench.address, 1, (byte) 2);
        bench.stream.synchronize();
        bench.stream.waitFor(event);
      }
      Contents.check(bench.device, bench.address, new byte[] {2});
    });
  }

  @Test
  void waitFor_eventOfAnotherDevice_isRejected() throws Exception {
    withStream(bench -> {
      try (SimulatedDevice simulated = new SimulatedDevice("another", 4096);
          Device another = open();
          DeviceStream simulatedStream = simulated.openStream();
          DeviceStream anotherStream = another.openStream();
          DeviceEvent first = simulatedStream.record();
          DeviceEvent second = anotherStream.record()) {
        for (DeviceEvent event : List.of(first, second)) {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> bench.stream.waitFor(event))
              .withMessage(
                  "a stream of device '%s' cannot wait for an event of another device",
                  bench.device.name());
        }
      }
    });
  }

  @Test
  void event_afterClose_isRejected() throws Exception {
    withStream(bench -> {
      DeviceEvent event = bench.stream.record();
      event.close();
      event.close();
      List<Runnable> uses = List.of(event::isDone, event::await, () -> bench.stream.waitFor(event));
      for (Runnable use : uses) {
        assertThatIllegalStateException()
            .isThrownBy(use::run)
            .withMessage("an event of device '%s' is closed", bench.device.name());
      }
    });
  }

  @Test
  void event_afterItsStreamsEnd_hasCome() throws Exception {
    withStream(bench -> {
      DeviceStream second = bench.device.openStream();
      second.fill(bench.address, bench.bytes, (byte) 3);
      try (DeviceEvent event = second.record()) {
        second.close();
        assertThat(event.isDone()).isTrue();
        event.await();
        bench.stream.waitFor(event);
      }
    });
  }

  @Test
  void everything_rangeThatLiesInNoRegion_isRejectedAndNothingChanges() throws Exception {
    withStream(bench -> {
      DeviceStream stream = bench.stream;
      MemorySegment host = bench.host(new byte[2 * bench.bytes]).fill((byte) 1);
      Range.checkRejected(
          bench.device,
          bench.address,
          bench.bytes,
          (a, b) -> stream.copyFromHost(host.asSlice(0, b), a));
      Range.checkRejected(
          bench.device,
          bench.address,
          bench.bytes,
          (a, b) -> stream.copyToHost(a, host.asSlice(0, b)));
      Range.checkRejected(
          bench.device, bench.address, bench.bytes, (a, b) -> stream.fill(a, b, (byte) 1));
      Range.checkSizesRejected(bench.device, bench.address, (a, b) -> stream.fill(a, b, (byte) 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copy(bench.address, bench.address + bench.bytes, 1))
          .withMessage(Range.noSuchRange(bench.device, bench.address + bench.bytes, 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copy(bench.address, bench.address + 10, -1))
          .withMessage(Range.noSuchRange(bench.device, bench.address, -1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copy(bench.address, bench.address + 10, 11))
          .withMessage(
              "the ranges of a copy must not overlap: source=0x%x, target=0x%x, bytes=11",
              bench.address, bench.address + 10);
      stream.synchronize();
      Contents.check(bench.device, bench.address, new byte[bench.bytes]);
    });
  }

  @Test
  void copies_unfitHostMemory_areRejected() throws Exception {
    withStream(bench -> {
      MemorySegment heap = MemorySegment.ofArray(new byte[8]);
      List<Runnable> uses =
          List.of(
              () -> bench.stream.copyFromHost(heap, bench.address),
              () -> bench.stream.copyToHost(bench.address, heap));
      for (Runnable use : uses) {
        assertThatIllegalArgumentException()
            .isThrownBy(use::run)
            .withMessage(
                "a queued copy needs native memory, because the garbage collector can move other memory: segment="
                    + heap);
      }
      MemorySegment readOnly = bench.host(new byte[8]).asReadOnly();
      bench.stream.copyFromHost(readOnly, bench.address);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bench.stream.copyToHost(bench.address, readOnly))
          .withMessage("the target of a copy must be writable: segment=" + readOnly);
    });
  }

  @Test
  void copies_ofMemoryThatHasEnded_areRejected() throws Exception {
    withStream(bench -> {
      Arena arena = Arena.ofConfined();
      MemorySegment ended = arena.allocate(8);
      arena.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> bench.stream.copyFromHost(ended, bench.address))
          .withMessage("Already closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> bench.stream.copyToHost(bench.address, ended))
          .withMessage("Already closed");
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_withWorkQueued_waitsForIt(boolean events) throws Exception {
    withStream(bench -> {
      MemorySegment back = bench.host(new byte[bench.bytes]);
      DeviceStream second = bench.device.openStream();
      bench.stream.fill(bench.address, bench.bytes, (byte) 5);
      if (events) {
        try (DeviceEvent event = bench.stream.record()) {
          second.waitFor(event);
        }
      } else {
        bench.stream.synchronize();
      }
      second.copyToHost(bench.address, back);
      second.close();
      byte[] expected = new byte[bench.bytes];
      Arrays.fill(expected, (byte) 5);
      Contents.checkSame(Contents.read(back), expected);
    });
  }

  @Test
  void everything_afterClose_isRejected() throws Exception {
    withStream(bench -> {
      DeviceStream stream = bench.device.openStream();
      MemorySegment host = bench.host(new byte[1]);
      DeviceEvent event = bench.stream.record();
      stream.close();
      stream.close();
      List<Runnable> uses =
          List.of(
              () -> stream.copyFromHost(host, bench.address),
              () -> stream.copyToHost(bench.address, host),
              () -> stream.copy(bench.address, bench.address + 1, 1),
              () -> stream.copyFrom(bench.device, bench.address, bench.address + 1, 1),
              () -> stream.fill(bench.address, 1, (byte) 1),
              stream::record,
              () -> stream.waitFor(event),
              stream::synchronize);
      for (Runnable use : uses) {
        assertThatIllegalStateException()
            .isThrownBy(use::run)
            .withMessage("a stream of device '%s' is closed", bench.device.name());
      }
      event.close();
      assertThat(stream.device()).isSameAs(bench.device);
    });
  }

  @Test
  void closeOfTheDevice_whileStreamsAreOpen_isRejectedAndNothingChanges() {
    Device device = open();
    DeviceStream stream = device.openStream();
    DeviceStream second = device.openStream();
    assertThatIllegalStateException()
        .isThrownBy(device::close)
        .withMessage("device '%s' is in use: 2 streams are open; close them first", device.name());
    stream.synchronize();
    stream.close();
    second.close();
    device.close();
  }

  @Test
  void streams_ofManyThreads_doNotDisturbEachOther() throws Exception {
    try (Device device = open();
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<Void>> results =
          threads.invokeAll(IntStream.range(0, 6).mapToObj(i -> work(device, i)).toList());
      for (Future<Void> result : results) {
        result.get();
      }
    }
  }

  /** Allocates and frees regions between immediate and queued copies. */
  private static Callable<Void> work(Device device, int thread) {
    return () -> {
      long bytes = Contents.regionBytes(device);
      try (Arena arena = Arena.ofConfined();
          DeviceStream stream = device.openStream()) {
        MemorySegment host = arena.allocate(1000);
        MemorySegment back = arena.allocate(1000);
        for (int i = 0; i < 50; i++) {
          long address = device.allocate(bytes).orElseThrow();
          byte[] contents = Contents.bytes(100L * thread + i, 1000);
          host.copyFrom(MemorySegment.ofArray(contents));
          stream.copyFromHost(host, address + 1);
          stream.copy(address + 1, address + 2000, 1000);
          stream.copyToHost(address + 2000, back);
          try (DeviceEvent event = stream.record()) {
            event.await();
          }
          Contents.checkSame(Contents.read(back), contents);
          Contents.check(device, address + 2000, contents);
          stream.synchronize();
          device.free(address, bytes);
        }
      }
      return null;
    };
  }
}
