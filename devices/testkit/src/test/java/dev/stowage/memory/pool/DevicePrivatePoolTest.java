package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Private pools of device memory, as for captured graphs. */
class DevicePrivatePoolTest {

  private static final BfcOptions GROWING = BfcOptions.growing().withFirstRegion(4096);

  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

  @Test
  void free_whileAGraphUsesIt_isNotForOthers() {
    try (DevicePool pool = DevicePool.open("gpu", device, GROWING);
        DeviceStream stream = device.openStream();
        DevicePool graph = pool.openPrivatePool("graph", GROWING)) {
      long captured = graph.allocate(4096, stream);
      graph.free(captured);
      assertThat(pool.allocate(4096, stream)).isNotEqualTo(captured);
      assertThat(graph.allocate(4096, stream)).isEqualTo(captured);
      assertThat(graph.name()).isEqualTo("gpu/graph");
      assertThat(pool.statistics().reservedBytes()).isEqualTo(4096);
      assertThat(graph.statistics().reservedBytes()).isEqualTo(4096);
      graph.checkInvariants();
      pool.checkInvariants();
    }
    device.close();
  }

  @Test
  void openPrivatePool_withListener_listenerGetsItsEventsOnly() {
    List<String> events = new ArrayList<>();
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {
            events.add("allocated " + allocation.requestedBytes());
          }

          @Override
          public void freed(long id) {
            events.add("freed");
          }

          @Override
          public void failed(long bytes) {}
        };
    try (DevicePool pool = DevicePool.open("gpu", device, GROWING);
        DeviceStream stream = device.openStream();
        DevicePool graph = pool.openPrivatePool("graph", GROWING, listener)) {
      pool.free(pool.allocate(512, stream));
      graph.free(graph.allocate(4096, stream));
      assertThat(pool.privatePoolBytes()).isEqualTo(4096);
    }
    device.close();
    assertThat(events).containsExactly("allocated 4096", "freed");
  }

  @Test
  void close_queuedWorkOfAPrivatePool_isRejected() {
    DevicePool pool = DevicePool.open("gpu", device, GROWING);
    DevicePool graph = pool.openPrivatePool("graph", GROWING);
    try (DeviceStream stream = device.openStream()) {
      long address = graph.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      graph.free(address, stream);
      assertThatIllegalStateException()
          .isThrownBy(pool::close)
          .withMessage(
              "pool 'gpu/graph' cannot be closed: queued work of 1 stream still uses 4096 bytes of"
                  + " freed memory; synchronize the streams first, or call closeWithin");
      assertThat(graph.queuedBytes()).isEqualTo(4096);
    }
    pool.close();
    assertThatIllegalStateException().isThrownBy(() -> pool.openPrivatePool("late", GROWING));
    graph.close();
    device.close();
  }

  @Test
  void closeWithin_queuedWorkOfAPrivatePool_waitsForIt() throws Exception {
    DevicePool pool = DevicePool.open("gpu", device, GROWING);
    DevicePool graph = pool.openPrivatePool("graph", GROWING);
    try (DeviceStream stream = device.openStream()) {
      long address = graph.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      graph.free(address, stream);
      assertThat(pool.closeWithin(Duration.ofDays(1)).isClosed()).isTrue();
      assertThat(device.filled().count()).isEqualTo(1);
    }
    device.close();
  }
}
