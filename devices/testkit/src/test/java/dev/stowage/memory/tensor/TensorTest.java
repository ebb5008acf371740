package dev.stowage.memory.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.CopyCounts;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool = MemoryPool.open("pool", host, BfcOptions.expandable());

  @AfterEach
  void close_afterAnyTest_leavesNothing() {
    pool.close();
    host.close();
  }

  private long bytesInUse() {
    return pool.statistics().bytesInUse();
  }

  private Tensor floats(String name, long... dimensions) {
    return Tensor.allocate(name, DataType.FLOAT32, TensorShape.of(dimensions), pool);
  }

  @Test
  void allocate_fresh_takesMemoryAndGivesItBack() {
    try (Tensor x = floats("x", 4, 3)) {
      assertThat(bytesInUse()).isEqualTo(256);
      assertThat(x.byteSize()).isEqualTo(48);
      assertThat(x.shape()).isEqualTo(TensorShape.of(4, 3));
      assertThat(x.type()).isEqualTo(DataType.FLOAT32);
      assertThat(x).hasToString("tensor 'x' of FLOAT32 [4, 3]");
      assertThat(x.getFloat(3, 2)).isZero();
    }
    assertThat(bytesInUse()).isZero();
  }

  @Test
  void slice_ofTensor_sharesItsMemory() {
    Tensor x = floats("x", 4, 3);
    Tensor rows = x.slice(1, 3);
    x.setFloat(2.5f, 1, 0);
    assertThat(rows.getFloat(0, 0)).isEqualTo(2.5f);
    assertThat(x.segment().get(ValueLayout.JAVA_FLOAT, 12)).isEqualTo(2.5f);
    assertThat(rows.name()).isEqualTo("x[1:3]");
    assertThat(rows.byteOffset()).isEqualTo(12);
    Tensor last = rows.slice(1, 2);
    last.setFloat(7, 0, 2);
    assertThat(x.getFloat(2, 2)).isEqualTo(7);
    assertThat(x.references()).isEqualTo(3);
    x.close();
    rows.close();
    assertThat(bytesInUse()).isEqualTo(256);
    assertThat(last.getFloat(0, 2)).isEqualTo(7);
    last.close();
    assertThat(bytesInUse()).isZero();
    assertThat(last.references()).isZero();
  }

  @Test
  void slice_outOfBounds_isRejected() {
    try (Tensor x = floats("x", 4, 3);
        Tensor scalar = floats("s");
        Tensor nibbles = Tensor.allocate("n", DataType.INT4, TensorShape.of(4, 3), pool)) {
      for (long[] range : new long[][] {{-1, 2}, {3, 2}, {0, 5}}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> x.slice(range[0], range[1]))
            .withMessage("tensor 'x' of FLOAT32 [4, 3] has no slice [%s, %s)", range[0], range[1]);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scalar.slice(0, 1))
          .withMessage("tensor 's' has no dimension to slice");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> nibbles.slice(1, 2))
          .withMessage("slice [1, 2) of tensor 'n' of INT4 [4, 3] starts within a byte");
      try (Tensor even = nibbles.slice(2, 3)) {
        assertThat(even.byteOffset()).isEqualTo(3);
        assertThat(even.byteSize()).isEqualTo(2);
      }
      try (Tensor none = x.slice(4, 4)) {
        assertThat(none.byteSize()).isZero();
      }
    }
  }

  @Test
  void reshape_asManyElements_sharesMemory() {
    try (Tensor x = floats("x", 4, 3);
        Tensor flat = x.reshape(TensorShape.of(12))) {
      x.setFloat(1, 3, 2);
      assertThat(flat.getFloat(11)).isEqualTo(1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> x.reshape(TensorShape.of(11)))
          .withMessage("tensor 'x' of [4, 3] has 12 elements, and cannot have shape [11] with 11");
    }
  }

  @Test
  void anyUse_afterClose_namesTheTensor() {
    Tensor x = floats("x", 2);
    Tensor other = x.share();
    MemorySegment segment = x.segment();
    x.close();
    x.close();
    assertThat(x).hasToString("tensor 'x' of FLOAT32 [2], closed");
    for (Runnable use :
        new Runnable[] {
          x::segment,
          x::mutableSegment,
          x::share,
          x::syncedMemory,
          () -> x.slice(0, 1),
          () -> x.reshape(TensorShape.of(2)),
          () -> x.getFloat(0),
          () -> x.setFloat(1, 0)
        }) {
      assertThatIllegalStateException().isThrownBy(use::run).withMessage("tensor 'x' is closed");
    }
    assertThat(segment.get(ValueLayout.JAVA_FLOAT, 0)).isZero();
    other.close();
    assertThatIllegalStateException().isThrownBy(() -> segment.get(ValueLayout.JAVA_FLOAT, 0));
  }

  @Test
  void allocate_impossibleTensor_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> floats("", 2))
        .withMessage("a tensor must have a name: name=''");
    assertThatIllegalStateException()
        .isThrownBy(() -> Tensor.allocate("s", DataType.STRING, TensorShape.of(2), pool))
        .withMessageStartingWith("elements of type STRING have no fixed size");
    assertThat(bytesInUse()).isZero();
  }

  // Elements.

  @ParameterizedTest
  @EnumSource
  void elements_ofAnyType_areKeptOrRefused(DataType type) {
    if (!type.hasFixedSize()) {
      return;
    }
    Random random = new Random(type.bits());
    int count = 33;
    try (Tensor x = Tensor.allocate("x", type, TensorShape.of(count), pool)) {
      if (type.isInteger()) {
        long[] values = new long[count];
        for (int round = 0; round < 200; round++) {
          int at = random.nextInt(count);
          int spare = 64 - type.bits();
          long raw = random.nextLong() << spare;
          values[at] = type.isSigned() ? raw >> spare : raw >>> spare;
          x.setLong(values[at], at);
        }
        for (int i = 0; i < count; i++) {
          assertThat(x.getLong(i)).isEqualTo(values[i]);
        }
        assertThatIllegalStateException()
            .isThrownBy(() -> x.getFloat(0))
            .withMessage(
                "elements of tensor 'x' are %s, which getFloat does not support; use its segment",
                type);
      } else if (type == DataType.BOOL) {
        x.setLong(1, 2);
        assertThat(x.getLong(2)).isOne();
        assertThatIllegalArgumentException()
            .isThrownBy(() -> x.setLong(2, 2))
            .withMessage("tensor 'x' of BOOL cannot hold value=2");
      } else if (type.name().contains("FLOAT") && type.bits() >= 16) {
        x.setDouble(-1.5, 32);
        assertThat(x.getDouble(32)).isEqualTo(-1.5);
        assertThat(x.getDouble(31)).isZero();
      } else {
        assertThatIllegalStateException().isThrownBy(() -> x.getDouble(0));
        assertThatIllegalStateException().isThrownBy(() -> x.getLong(0));
        x.mutableSegment().fill((byte) 1);
      }
    }
  }

  @Test
  void setLong_outOfRange_isRejected() {
    try (Tensor x = Tensor.allocate("x", DataType.INT4, TensorShape.of(2), pool);
        Tensor y = Tensor.allocate("y", DataType.UINT32, TensorShape.of(1), pool)) {
      for (long outside : new long[] {-9, 8}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> x.setLong(outside, 0))
            .withMessage("tensor 'x' of INT4 cannot hold value=" + outside);
      }
      x.setLong(-8, 1);
      assertThat(x.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x80);
      y.setLong(0xFFFF_FFFFL, 0);
      assertThat(y.getLong(0)).isEqualTo(0xFFFF_FFFFL);
      assertThatIllegalArgumentException().isThrownBy(() -> y.setLong(-1, 0));
    }
  }

  @Test
  void setFloat_bfloat16_roundsToTheNearestEven() {
    try (Tensor x = Tensor.allocate("x", DataType.BFLOAT16, TensorShape.of(1), pool)) {
      float[][] rounded = {
        {1.0f, 1.0f},
        {1 + 0x1p-8f, 1.0f}, // half way: to even
        {1 + 0x3p-8f, 1.015625f}, // half way: to even
        {1.004f, 1.0078125f},
        {-3.4e38f, Float.NEGATIVE_INFINITY},
        {Float.MAX_VALUE, Float.POSITIVE_INFINITY},
        {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY},
        {-0.0f, -0.0f}
      };
      for (float[] pair : rounded) {
        x.setFloat(pair[0], 0);
        assertThat(x.getFloat(0)).isEqualTo(pair[1]);
      }
      x.setFloat(Float.intBitsToFloat(0x7F800001), 0);
      assertThat(x.getFloat(0)).isNaN();
    }
  }

  // The caller's memory.

  @Test
  void wrap_callersMemory_isUsedAndNeverFreed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(12, 4);
      try (Tensor x = Tensor.wrap("x", DataType.FLOAT32, TensorShape.of(3), mine)) {
        x.setFloat(4, 1);
        assertThat(x.segment().isReadOnly()).isTrue();
      }
      assertThat(mine.get(ValueLayout.JAVA_FLOAT, 4)).isEqualTo(4);
      try (Tensor x = Tensor.wrap("x", DataType.FLOAT32, TensorShape.of(3), mine.asReadOnly())) {
        assertThat(x.getFloat(1)).isEqualTo(4);
        assertThatIllegalStateException()
            .isThrownBy(() -> x.setFloat(1, 1))
            .withMessage("tensor 'x' is in read-only memory and cannot be written");
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tensor.wrap("x", DataType.FLOAT32, TensorShape.of(2), mine))
          .withMessage("tensor 'x' of FLOAT32 [2] needs 8 bytes: bytes=12");
    }
    MemorySegment heap = MemorySegment.ofArray(new float[] {1, 2, 3});
    try (Tensor x = Tensor.wrap("x", DataType.FLOAT32, TensorShape.of(3), heap)) {
      assertThat(x.getFloat(2)).isEqualTo(3);
      assertThatIllegalStateException()
          .isThrownBy(x::syncedMemory)
          .withMessage("tensor 'x' is only in host memory: make it with Tensor.over");
    }
  }

  // Buffers with copies.

  @Test
  void over_syncedMemory_copiesWrittenRanges() {
    SimulatedDevice device = new SimulatedDevice("gpu", 1 << 20);
    try (DevicePool gpu = DevicePool.open("gpu", device, BfcOptions.growing())) {
      SyncedMemory buffer = SyncedMemory.of("x", 48, gpu);
      Tensor x = Tensor.over("x", DataType.FLOAT32, TensorShape.of(4, 3), buffer);
      x.syncedMemory().gpuData();
      x.setFloat(2.5f, 1, 0);
      try (Tensor rows = x.slice(1, 3)) {
        rows.mutableSegment().asSlice(4, 4).fill((byte) 0);
        assertThat(rows.getFloat(0, 0)).isEqualTo(2.5f);
      }
      x.syncedMemory().gpuData();
      assertThat(x.syncedMemory().copies()).isEqualTo(new CopyCounts(1, 24, 1, 48));
      x.close();
      assertThat(gpu.statistics().bytesInUse()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(buffer::head)
          .withMessage("buffer 'x' is closed");
    }
    device.close();
  }

  // Tensors that are not closed.

  @Test
  void lease_tensorUnreachable_isReportedWithItsTag() {
    Queue<String> told = new ConcurrentLinkedQueue<>();
    watched("closed", told).close();
    AllocationTag.of("encoder").run(() -> watched("lost", told));
    while (told.isEmpty()) {
      System.gc();
    }
    assertThat(told)
        .containsExactly(
            "tensor 'lost' of 16 bytes became unreachable without being closed, and its memory, allocated under tag 'encoder/lost', stays in use: call close()");
  }

  @Test
  void lease_memoryOfTheCaller_isNotReported() {
    Queue<String> told = new ConcurrentLinkedQueue<>();
    watched("wrapped", new TensorMemory.Wrapped(MemorySegment.NULL), told).watch().get().clean();
    assertThat(told).isEmpty();
  }

  /** {@return the end of the watch of a lease whose owner is unreachable} */
  private Watched watched(String name, Queue<String> told) {
    TensorMemory memory = new TensorMemory.Pooled(pool.allocate(16));
    return watched(name, memory, told);
  }

  private static Watched watched(String name, TensorMemory memory, Queue<String> told) {
    String tag = AllocationTag.of(name).call(() -> AllocationTag.current().toString());
    TensorLease lease =
        new TensorLease(
            name, 16, new TensorBuffer(memory, tag, false), Optional.empty(), told::add);
    Watched watched = new Watched(lease, new AtomicReference<>());
    watched.watch().set(lease.watch(watched));
    return watched;
  }

  private record Watched(TensorLease lease, AtomicReference<Cleaner.Cleanable> watch) {

    void close() {
      lease.release();
      watch.get().clean();
    }
  }

  @Test
  void tensor_unreachable_isCollectedAndKeepsItsMemory() {
    WeakReference<Tensor> lost = new WeakReference<>(floats("lost", 4));
    while (lost.get() != null) {
      System.gc();
    }
    assertThat(bytesInUse()).isEqualTo(256);
  }

  @Test
  void allocate_noElements_takesNoMemoryAndLivesAsOthers() {
    try (HostMemory small = HostMemory.open();
        MemoryPool limited =
            MemoryPool.open("limited", small, BfcOptions.growing().withLimit(1 << 20))) {
      List<Tensor> tensors = new ArrayList<>();
      for (int i = 0; i < 4096; i++) {
        tensors.add(Tensor.allocate("none", DataType.FLOAT32, TensorShape.of(3, 0, 2), limited));
      }
      for (int i = 0; i < 1024; i++) {
        SyncedMemory buffer = SyncedMemory.of("none", 0, limited);
        tensors.add(Tensor.over("none", DataType.INT8, TensorShape.of(0), buffer));
        buffer.mutableCpuData();
      }
      assertThat(limited.statistics().reservedBytes()).isZero();
      for (Tensor tensor : tensors) {
        assertThat(tensor.segment().byteSize()).isZero();
        assertThat(tensor.mutableSegment().byteSize()).isZero();
      }
      Tensor first = tensors.getFirst();
      MemorySegment segment = first.segment();
      Tensor slice = first.slice(1, 3);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> first.getFloat(0, 0, 0));
      first.close();
      first.close();
      assertThat(segment.scope().isAlive()).isTrue();
      slice.close();
      assertThat(segment.scope().isAlive()).isFalse();
      assertThatIllegalStateException()
          .isThrownBy(first::segment)
          .withMessage("tensor 'none' is closed");
      tensors.forEach(Tensor::close);
    }
  }

  @Test
  void anyShares_closedInAnyOrder_freeTheMemoryOnce() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<Tensor> tensors = new ArrayList<>();
      tensors.add(floats("x", 8, 2));
      for (int i = 0; i < 30; i++) {
        Tensor any = tensors.get(random.nextInt(tensors.size()));
        long rows = any.shape().dimensions().getFirst();
        long start = random.nextLong(rows + 1);
        tensors.add(random.nextBoolean() ? any.share() : any.slice(start, rows));
        if (random.nextBoolean() && tensors.size() > 1) {
          tensors.remove(random.nextInt(tensors.size())).close();
        }
        assertThat(tensors.getFirst().references()).isEqualTo(tensors.size());
        // The pool takes a slab for the tensors after the first ones, so that bytes in use vary.
        assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(64);
      }
      tensors.forEach(Tensor::close);
      assertThat(bytesInUse()).isZero();
    }
  }
}
