package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a pool of device memory. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevicePoolCloseTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

  private final DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(8192));

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  // close()

  // @throws IllegalStateException if queued work may still use freed memory; nothing changes
  @Test
  void close_workQueued_throwsAndChangesNothing() {
    DeviceStream stream = device.openStream();
    DeviceStream other = device.openStream();
    long address = pool.allocate(4096, stream);
    stream.fill(address, 4096, (byte) 1);
    other.fill(address, 4096, (byte) 1);
    pool.free(address, stream, other);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessage(
            "pool 'pool' cannot be closed: queued work of 2 streams still uses 4096 bytes of freed memory; synchronize the streams first, or call closeWithin");
    assertThat(device.filled().count()).isZero();
    assertThat(pool.queuedBytes()).isEqualTo(4096);
    pool.free(pool.allocate(256, stream));
    stream.close();
    other.close();
    pool.close();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    pool.close();
  }

  @Test
  void close_memoryThatItsStreamReuses_throwsUntilTheEarlierWorkIsDone() {
    DeviceStream stream = device.openStream();
    long address = pool.allocate(4096, stream);
    stream.fill(address, 4096, (byte) 1);
    pool.free(address, stream);
    assertThat(pool.allocate(4096, stream)).isEqualTo(address);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessageContaining("queued work of 1 stream still uses 4096 bytes of freed memory");
    stream.synchronize();
    pool.close(); // and reports the memory in use as leaked
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    stream.close();
  }

  @Test
  void close_memoryInUse_returnsIt() {
    DeviceStream stream = device.openStream();
    AllocationTag.of("weights").run(() -> pool.allocate(4096, stream));
    assertThat(pool.inUse().toString().lines())
        .containsExactly(
            "allocator 'pool' has 4 KiB (4,096 bytes) in use by 1 allocation",
            "  4 KiB (4,096 bytes) in 1: weights");
    pool.close();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocate(1, stream))
        .withMessage("allocator 'pool' is closed");
    stream.close();
  }

  // closeWithin(Duration)

  @Test
  void closeWithin_workQueued_waitsAndGivesAllBack() throws Exception {
    DeviceStream stream = device.openStream();
    try (pool) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
      assertThat(pool.closeWithin(FOREVER)).isEqualTo(new CloseResult(Optional.empty()));
    }
    assertThat(device.filled().count()).isEqualTo(1);
    stream.close();
    device.close();
  }

  @Test
  void closeWithin_queuedWorkFails_returnsAllAndTheStreamThrows() throws Exception {
    DeviceStream stream = device.openStream();
    try (pool) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
      device.failAt(1);
      assertThat(pool.closeWithin(FOREVER).isClosed()).isTrue();
    }
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(stream::close)
        .withMessage("fill of device 'simulated' failed: SIMULATED_FAILURE (1)");
    device.close();
  }

  @Test
  void closeWithin_timeIsOver_namesTheWorkAndThePoolIsOpen() throws Exception {
    ManualStreams.ManualStream slow = new ManualStreams(device).open();
    long address = pool.allocate(4096, slow);
    pool.free(address, slow);
    for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofMillis(2)}) {
      CloseResult result = pool.closeWithin(timeout);
      assertThat(result.isClosed()).isFalse();
      assertThat(result.obstacle())
          .hasValue(
              "pool 'pool' cannot be closed: queued work of 1 stream still uses 4096 bytes of freed memory");
    }
    assertThat(pool.allocate(4096, slow)).isEqualTo(address);
    slow.synchronize();
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
  }

  @Test
  void closeWithin_waits_othersMayFreeAndNotAllocate() throws Exception {
    ManualStreams manual = new ManualStreams(device);
    ManualStreams.ManualStream slow = manual.open();
    long first = pool.allocate(4096, slow);
    long second = pool.allocate(2048, slow);
    pool.free(first, slow);
    FutureTask<CloseResult> closing = new FutureTask<>(() -> pool.closeWithin(FOREVER));
    Thread thread = Thread.ofPlatform().name("closer").start(closing);
    awaitState(thread, Thread.State.TIMED_WAITING);
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocate(1, slow))
        .withMessage("pool 'pool' is being closed by thread 'closer', which waits for queued work");
    assertThatIllegalStateException().isThrownBy(() -> pool.tryAllocate(PoolRequest.of(1), slow));
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(1), slow, FOREVER));
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessage("pool 'pool' is being closed by thread 'closer', which waits for queued work");
    assertThatIllegalStateException().isThrownBy(() -> pool.closeWithin(Duration.ZERO));
    pool.free(second, slow);
    assertThat(pool.queuedBytes()).isEqualTo(6144);
    slow.reach(slow.recorded());
    assertThat(closing.get().isClosed()).isTrue();
    assertThat(device.availableBytes()).isEqualTo(1 << 20);
    assertThat(manual.openEvents()).isZero();
  }

  @Test
  void closeWithin_interrupted_throwsAndThePoolIsOpen() throws Exception {
    ManualStreams.ManualStream slow = new ManualStreams(device).open();
    pool.free(pool.allocate(4096, slow), slow);
    FutureTask<CloseResult> closing = new FutureTask<>(() -> pool.closeWithin(FOREVER));
    Thread thread = Thread.ofPlatform().start(closing);
    awaitState(thread, Thread.State.TIMED_WAITING);
    thread.interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(closing::get)
        .withCauseInstanceOf(InterruptedException.class)
        .withMessageContaining("interrupted while waiting for the work of a device");
    pool.free(pool.allocate(4096, slow));
    slow.synchronize();
    pool.close();
  }
}
