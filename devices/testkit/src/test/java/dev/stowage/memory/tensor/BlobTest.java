package dev.stowage.memory.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.SyncedHead;
import dev.stowage.testing.NativeCalls;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobTest {

  private final SimulatedDevice device = new SimulatedDevice("gpu", 1 << 20);
  private final DevicePool gpu = DevicePool.open("gpu", device, BfcOptions.growing());

  @AfterEach
  void close_afterAnyTest_leavesNothing() {
    assertThat(gpu.statistics().bytesInUse()).isZero();
    gpu.close();
    device.close();
  }

  private Blob blob(String name, long... dimensions) {
    return Blob.of(name, DataType.FLOAT32, TensorShape.of(dimensions), gpu);
  }

  @Test
  void of_fresh_hasNothingAllocated() {
    try (Blob blob = blob("conv1", 2, 3)) {
      assertThat(blob.data().name()).isEqualTo("conv1/data");
      assertThat(blob.diff().name()).isEqualTo("conv1/diff");
      assertThat(blob.data().shape()).isEqualTo(blob.diff().shape()).isEqualTo(blob.shape());
      assertThat(blob.data().syncedMemory().head()).isEqualTo(SyncedHead.UNINITIALIZED);
      assertThat(device.calls()).isZero();
      blob.data().setFloat(1, 1, 2);
      assertThat(blob.diff().getFloat(1, 2)).isZero();
      assertThat(blob).hasToString("blob 'conv1' of FLOAT32 [2, 3]");
    }
  }

  @Test
  void data_onEachSide_isThatOfTheBuffer() {
    try (Blob blob = blob("conv1", 2, 3)) {
      blob.mutableCpuData().setAtIndex(ValueLayout.JAVA_FLOAT, 5, 1.5f);
      assertThat(blob.gpuData().addressOn(device))
          .isEqualTo(blob.gpuData(device).addressOn(device));
      assertThat(blob.data().syncedMemory().head()).isEqualTo(SyncedHead.SYNCED);
      blob.mutableGpuData().fill((byte) 0);
      assertThat(blob.cpuData().getAtIndex(ValueLayout.JAVA_FLOAT, 5)).isZero();
      blob.mutableGpuData(device).fill((byte) 1);
      assertThat(blob.data().syncedMemory().head()).isEqualTo(SyncedHead.HEAD_AT_GPU);

      blob.mutableCpuDiff().setAtIndex(ValueLayout.JAVA_FLOAT, 5, 2.5f);
      assertThat(blob.gpuDiff().addressOn(device))
          .isEqualTo(blob.gpuDiff(device).addressOn(device));
      assertThat(blob.diff().getFloat(1, 2)).isEqualTo(2.5f);
      blob.mutableGpuDiff().fill((byte) 0);
      assertThat(blob.cpuDiff().getAtIndex(ValueLayout.JAVA_FLOAT, 5)).isZero();
      blob.mutableGpuDiff(device).fill((byte) 1);
      assertThat(blob.diff().syncedMemory().head()).isEqualTo(SyncedHead.HEAD_AT_GPU);
    }
  }

  @Test
  void setData_memoryOfTheCaller_isUsed() {
    long address = gpu.allocate(24);
    try (Arena arena = Arena.ofShared();
        Blob blob = blob("conv1", 2, 3)) {
      assertThat(blob.data().syncedMemory().ownsCpuData()).isFalse();
      MemorySegment own = arena.allocate(24, 4);
      own.setAtIndex(ValueLayout.JAVA_FLOAT, 5, 1.5f);
      blob.setCpuData(own);
      assertThat(blob.data().getFloat(1, 2)).isEqualTo(1.5f);
      assertThat(blob.data().syncedMemory().ownsCpuData()).isFalse();
      assertThat(blob.gpuData().addressOn(device)).isNotEqualTo(address);
      assertThat(blob.data().syncedMemory().ownsGpuData()).isTrue();
      device.fill(address, 24, (byte) 0);
      blob.setGpuData(address);
      assertThat(blob.gpuData().addressOn(device)).isEqualTo(address);
      assertThat(blob.data().syncedMemory().ownsGpuData(device)).isFalse();
      assertThat(blob.data().getFloat(1, 2)).isZero();
    }
    gpu.free(address);
  }

  @Test
  void of_stagingPool_pinsItsMemoryThere() {
    try (MemoryPool pinned = MemoryPool.openStaging("pinned", device, BfcOptions.growing());
        Blob blob = Blob.of("fc", DataType.FLOAT64, TensorShape.of(5), pinned, gpu)) {
      blob.mutableCpuData().fill((byte) 1);
      assertThat(pinned.statistics().bytesInUse()).isPositive();
      assertThat(blob.data().syncedMemory().ownsCpuData()).isTrue();
      assertThat(blob.gpuData().isLive()).isTrue();
    }
  }

  @Test
  void shareData_ofAnotherBlob_isOneMemoryUntilTheLastIsClosed() {
    Blob source = blob("conv1", 2, 3);
    Blob user = blob("relu1", 6);
    Tensor replaced = user.data();
    replaced.syncedMemory().gpuData();
    source.data().syncedMemory().mutableGpuData().fill((byte) 0);
    assertThat(gpu.statistics().bytesInUse()).isEqualTo(512);

    user.shareData(source);
    assertThat(gpu.statistics().bytesInUse()).isEqualTo(256);
    assertThat(replaced.isReleased()).isTrue();
    source.data().setFloat(5, 1, 2);
    assertThat(user.data().getFloat(5)).isEqualTo(5);
    assertThat(user.diff().getFloat(5)).isZero();

    source.close();
    assertThat(user.data().getFloat(5)).isEqualTo(5);
    user.close();
  }

  @Test
  void shareDiff_ofAnotherBlob_leavesTheDataApart() {
    try (Blob source = blob("conv1", 2, 3);
        Blob user = blob("relu1", 2, 3)) {
      user.shareDiff(source);
      user.diff().setFloat(5, 1, 2);
      assertThat(source.diff().getFloat(1, 2)).isEqualTo(5);
      user.data().setFloat(6, 1, 2);
      assertThat(source.data().getFloat(1, 2)).isZero();
    }
  }

  @Test
  void shareData_ofItself_changesNothing() {
    try (Blob blob = blob("conv1", 2)) {
      blob.data().setFloat(5, 1);
      blob.shareData(blob);
      assertThat(blob.data().getFloat(1)).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void share_nativeCallOnReplacedMemory_isRejectedAndNothingChanges(boolean data) {
    try (Blob source = blob("conv1", 2);
        Blob user = blob("relu1", 2)) {
      Tensor replaced = data ? user.data() : user.diff();
      Runnable share = data ? () -> user.shareData(source) : () -> user.shareDiff(source);
      MemorySegment held = replaced.mutableSegment();
      NativeCalls.during(
          held,
          () -> {
            assertThatIllegalStateException()
                .isThrownBy(share::run)
                .withMessage(
                    "buffer 'relu1/%s' cannot end its segments while a native call works on one; call again after it has returned",
                    data ? "data" : "diff");
            held.set(ValueLayout.JAVA_INT, 0, 7);
          });
      assertThat(data ? user.data() : user.diff()).isSameAs(replaced);
      assertThat(replaced.isReleased()).isFalse();
      assertThat(source.data().references()).isOne();
      assertThat(source.diff().references()).isOne();
      assertThat(replaced.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(7);

      share.run();
      assertThat(replaced.isReleased()).isTrue();
      assertThat(held.scope().isAlive()).isFalse();
    }
  }

  @Test
  void shareData_nativeCallOnMemoryThatStaysShared_succeeds() {
    try (Blob source = blob("conv1", 2);
        Blob user = blob("relu1", 2);
        Tensor kept = user.data().share()) {
      NativeCalls.during(kept.mutableSegment(), () -> user.shareData(source));
      assertThat(source.data().references()).isEqualTo(2);
      assertThat(kept.references()).isOne();
    }
  }

  @Test
  void shareData_pushOfReplacedDataFails_sharesAndClosesTheReplaced() {
    try (Blob source = blob("conv1", 2);
        Blob user = blob("relu1", 2)) {
      Tensor replaced = user.data();
      replaced.syncedMemory().mutableCpuData();
      try (DeviceStream stream = device.openStream()) {
        replaced.syncedMemory().asyncGpuPush(stream);
        device.failAt(1); // the push
        assertThatExceptionOfType(DeviceException.class)
            .isThrownBy(() -> user.shareData(source))
            .withMessageStartingWith("pushing buffer 'relu1/data' to device 'gpu'");
        assertThatExceptionOfType(DeviceException.class).isThrownBy(stream::synchronize);
      }
      assertThat(replaced.isReleased()).isTrue();
      assertThat(source.data().references()).isEqualTo(2);
    }
  }

  @Test
  void close_nativeCallOnAPart_closesTheOtherAndTriesAgainWhenAskedAgain() {
    Blob blob = blob("conv1", 2);
    NativeCalls.during(
        blob.data().mutableSegment(),
        () -> {
          assertThatIllegalStateException().isThrownBy(blob::close);
          assertThat(blob.data().isReleased()).isFalse();
          assertThat(blob.diff().isReleased()).isTrue();
        });
    blob.close();
    assertThat(blob.data().isReleased()).isTrue();
  }

  @Test
  void of_noName_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blob("", 2))
        .withMessage("a blob must have a name: name=''");
  }

  @Test
  void shareData_ofAnotherSize_isRejected() {
    try (Blob blob = blob("conv1", 2, 3);
        Blob larger = blob("conv2", 2, 4)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> blob.shareData(larger))
          .withMessage(
              "blob 'conv1' of FLOAT32 [2, 3] cannot share with blob 'conv2' of FLOAT32 [2, 4]");
    }
  }

  @Test
  void shareDiff_afterClose_isRejected() {
    try (Blob open = blob("conv1", 2)) {
      Blob closed = blob("conv2", 2);
      closed.close();
      closed.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> closed.shareDiff(open))
          .withMessage("blob 'conv2' is closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> open.shareDiff(closed))
          .withMessage("tensor 'conv2/diff' is closed");
      assertThatIllegalStateException().isThrownBy(() -> closed.data().getFloat(0));
    }
  }

  /** Otherwise a closed blob would keep the memory. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void share_closedMeanwhile_isRejectedAndHoldsNothing(boolean data) throws Exception {
    Blob user = blob("relu1", 2);
    try (Blob source = blob("conv1", 2)) {
      FutureTask<Void> sharing =
          new FutureTask<>(
              () -> {
                if (data) {
                  user.shareData(source);
                } else {
                  user.shareDiff(source);
                }
              },
              null);
      Thread thread = Thread.ofPlatform().unstarted(sharing);
      synchronized (source) { // the other thread waits for this lock
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        user.close();
      }
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(sharing::get)
          .withMessageEndingWith("IllegalStateException: blob 'relu1' is closed");
      assertThat(source.data().references()).isOne();
      assertThat(source.diff().references()).isOne();
    }
  }

  @Test
  void of_pool_takesHostMemoryThere() {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable())) {
      try (Blob blob = Blob.of("fc", DataType.FLOAT64, TensorShape.of(5), pool, gpu)) {
        blob.data().setDouble(1, 4);
        assertThat(pool.statistics().bytesInUse()).isEqualTo(256);
      }
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }
}
