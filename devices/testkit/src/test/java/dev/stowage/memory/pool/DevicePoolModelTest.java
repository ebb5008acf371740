package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares a pool with its model: chunks, reports and listener events. */
class DevicePoolModelTest {

  private static final long DEVICE_BYTES = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(300);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyRun_manyStreams_agreesWithTheModel(long seed) {
    new Run(new Random(seed)).go();
  }

  /** Listener events; the frees of one call can have any order. */
  private record Heard(List<String> events) implements AllocationListener {

    @Override
    public void allocated(Allocation allocation) {
      events.add(
          String.format(
              Locale.ROOT,
              "allocated %d %d %s",
              allocation.id(),
              allocation.requestedBytes(),
              allocation.tag()));
    }

    @Override
    public void freed(long id) {
      events.add("freed " + id);
    }

    @Override
    public void failed(long bytes) {
      events.add("failed " + bytes);
    }
  }

  private static final class Run {

    private final Random random;
    private final SimulatedDevice device = new SimulatedDevice("manual", DEVICE_BYTES);
    private final ManualStreams manual = new ManualStreams(device);
    private final List<ManualStreams.ManualStream> streams = new ArrayList<>();
    private final Heard heard = new Heard(new ArrayList<>());
    private final NaiveDevicePool model;
    private final DevicePool pool;
    private final List<Long> live = new ArrayList<>();
    private final int mostBytes;

    Run(Random random) {
      this.random = random;
      int streamCount = 1 + random.nextInt(4);
      for (int i = 0; i < streamCount; i++) {
        streams.add(manual.open());
      }
      mostBytes = 1 << (6 + random.nextInt(10));
      BfcOptions options =
          switch (random.nextInt(3)) {
            case 0 -> BfcOptions.oneRegion(64 << 10);
            case 1 -> BfcOptions.expandable().withLimit(128 << 10);
            default -> BfcOptions.growing().withFirstRegion(4096).withSplitThreshold(512);
          };
      model = new NaiveDevicePool(streamCount, DEVICE_BYTES, options);
      pool = DevicePool.open("pool", device, options, heard);
    }

    void go() {
      for (int step = 0; step < 300; step++) {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> allocate();
          case 3, 4, 5 -> free();
          case 6 -> progress(random.nextInt(streams.size()));
          default -> {
            assertThat(pool.queuedBytes()).isEqualTo(freed().queuedBytes());
            compare();
          }
        }
        pool.checkInvariants();
      }
      streams.forEach(DeviceStream::synchronize);
      pool.close();
      model.close();
      assertThat(manual.openEvents()).isZero();
      device.close();
    }

    private NaiveDevicePool freed() {
      model.freeDone();
      return model;
    }

    private void allocate() {
      int stream = random.nextInt(streams.size());
      long bytes = 1L + random.nextInt(mostBytes);
      String tag = "tag" + random.nextInt(3);
      OptionalLong expected = model.allocate(bytes, stream, tag);
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).reach(model.reached[i]); // reach the events that the pool waits for
      }
      if (expected.isPresent()) {
        long address = AllocationTag.of(tag).call(() -> pool.allocate(bytes, streams.get(stream)));
        assertThat(address).isEqualTo(expected.getAsLong());
        live.add(address);
      } else {
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(
                () -> AllocationTag.of(tag).run(() -> pool.allocate(bytes, streams.get(stream))))
            .withMessageContaining("is out of memory for '" + tag + "'");
      }
      compareEvents();
    }

    private void free() {
      if (!live.isEmpty()) {
        long address = live.remove(random.nextInt(live.size()));
        List<Integer> users = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          int user = random.nextInt(streams.size());
          if (!users.contains(user)) {
            users.add(user);
          }
        }
        model.free(address, users);
        pool.free(address, users.stream().map(streams::get).toArray(DeviceStream[]::new));
        // A free does not query all events.
        assertThat(pool.queuedBytes()).isEqualTo(freed().queuedBytes());
        compareEvents();
      }
    }

    private void progress(int stream) {
      long recorded = model.recorded[stream];
      assertThat(streams.get(stream).recorded()).isEqualTo(recorded);
      long reached = model.reached[stream];
      model.reached[stream] = reached + random.nextInt((int) (recorded - reached) + 1);
      streams.get(stream).reach(model.reached[stream]);
    }

    private void compareEvents() {
      assertThat(sorted(heard.events())).isEqualTo(sorted(model.heard));
      heard.events().clear();
      model.heard.clear();
    }

    private static List<String> sorted(List<String> events) {
      return events.stream().sorted().toList();
    }

    private void compare() {
      compareEvents();
      List<NaiveDevicePool.Chunk> chunks = model.inUse();
      AllocatorStatistics statistics = pool.statistics();
      assertThat(statistics.allocations()).isEqualTo(model.allocations());
      assertThat(statistics.chunksInUse()).isEqualTo(chunks.size());
      assertThat(statistics.bytesInUse())
          .isEqualTo(chunks.stream().mapToLong(chunk -> chunk.bytes).sum());
      assertThat(statistics.requestedBytesInUse())
          .isEqualTo(chunks.stream().mapToLong(chunk -> chunk.requested).sum());
      TreeSet<String> held = new TreeSet<>();
      for (String tag : new TreeSet<>(chunks.stream().map(chunk -> chunk.tag).toList())) {
        List<NaiveDevicePool.Chunk> its =
            chunks.stream().filter(chunk -> chunk.tag.equals(tag)).toList();
        held.add(tag + " " + its.size() + " " + its.stream().mapToLong(c -> c.requested).sum());
      }
      TreeSet<String> reported = new TreeSet<>();
      for (AllocatorReport.Holder holder : pool.report().holders()) {
        reported.add(holder.tag() + " " + holder.allocations() + " " + holder.requestedBytes());
      }
      assertThat(reported).isEqualTo(held);
    }
  }
}
