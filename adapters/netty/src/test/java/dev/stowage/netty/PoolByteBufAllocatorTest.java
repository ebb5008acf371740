package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import dev.stowage.testing.NativeCalls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers of a pool, one thread at a time. */
class PoolByteBufAllocatorTest {

  private static final long LIMIT_BYTES = 1 << 20;

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open(
          "network",
          host,
          BfcOptions.expandable().withLimit(LIMIT_BYTES),
          PoolOptions.standard().withoutZeroing());
  private final PoolByteBufAllocator allocator = PoolByteBufAllocator.of(pool);

  @AfterEach
  void close() {
    assertThat(pool.statistics().bytesInUse()).isZero();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
    pool.close();
    host.close();
  }

  @Test
  void directBuffer_ofSomeBytes_isMemoryOfThePool() {
    ByteBuf buffer = allocator.directBuffer(1000, 2000);
    assertThat(buffer.capacity()).isEqualTo(1000);
    assertThat(buffer.maxCapacity()).isEqualTo(2000);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.alloc()).isSameAs(allocator);
    assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(1000);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(1000);
    assertThat(pool.chunks().getFirst().address()).isEqualTo(buffer.memoryAddress());
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void capacity_ofAGrowingBuffer_keepsTheBytes() {
    ByteBuf buffer = allocator.directBuffer(8);
    for (int i = 0; i < 10_000; i++) {
      buffer.writeInt(i);
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(buffer.readInt()).isEqualTo(i);
    }
    assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(buffer.capacity());
    buffer.capacity(100);
    assertThat(buffer.getInt(96)).isEqualTo(24);
    assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(100);
    buffer.release();
  }

  @Test
  void capacity_beyondTheLimit_leavesTheBufferAsItWas() {
    ByteBuf buffer = allocator.directBuffer(256).writeLong(42);
    assertThatThrownBy(() -> buffer.capacity(1 << 21)).isInstanceOf(OutOfMemoryError.class);
    assertThat(buffer.capacity()).isEqualTo(256);
    assertThat(buffer.readLong()).isEqualTo(42);
    buffer.release();
  }

  @Test
  void directBuffer_withoutRoom_throwsAnErrorWithTheExplanation() {
    assertThatThrownBy(() -> allocator.directBuffer(1 << 21))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith(
            "allocator 'network' is out of memory: 2 MiB (2,097,152 bytes) requested. ")
        .hasCauseInstanceOf(BfcOutOfMemoryException.class);
  }

  @Test
  void release_byAnotherThread_returnsTheMemory() {
    ByteBuf buffer = allocator.directBuffer(100);
    assertThat(CompletableFuture.supplyAsync(buffer::release).join()).isTrue();
    assertThat(pool.statistics().bytesInUse()).isZero();
    assertThatThrownBy(() -> buffer.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void releaseAndCapacity_duringNativeCallInDebugMode_failAndCanBeRepeated() {
    PoolOptions debugging = PoolOptions.standard().withDebugging();
    try (MemoryPool debugged =
        MemoryPool.open("debugged", host, BfcOptions.expandable(), debugging)) {
      ByteBuf buffer = PoolByteBufAllocator.of(debugged).directBuffer(100).writeLong(42);
      NativeCalls.during(
          MemorySegment.ofBuffer(buffer.nioBuffer(0, 100)),
          () -> {
            assertThatThrownBy(buffer::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                    "pool 'debugged': counted block 1 with 100 bytes is in use by a native call and stays in use: release it again after the call");
            assertThatThrownBy(() -> buffer.capacity(1000))
                .isInstanceOf(IllegalStateException.class);
          });
      assertThat(buffer.refCnt()).isOne();
      assertThat(buffer.capacity()).isEqualTo(100);
      assertThat(buffer.readLong()).isEqualTo(42);
      assertThat(buffer.release()).isTrue();
      assertThat(debugged.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void release_withASliceRetained_waitsForTheSlice() {
    ByteBuf buffer = allocator.directBuffer(100).writeLong(42);
    ByteBuf slice = buffer.retainedSlice(0, 8);
    assertThat(buffer.release()).isFalse();
    assertThat(slice.readLong()).isEqualTo(42);
    assertThat(pool.statistics().bytesInUse()).isPositive();
    assertThat(slice.release()).isTrue();
  }

  @Test
  void directBuffer_withinATag_hasTheTag() {
    ByteBuf buffer = AllocationTag.of("responses").call(() -> allocator.directBuffer(100));
    assertThat(pool.report().holders().getFirst().tag()).isEqualTo("responses");
    buffer.release();
  }

  @Test
  void buffer_ofUnspecifiedKind_isTheOneOfTheAllocator() {
    ByteBuf direct = allocator.buffer();
    ByteBuf heap = PoolByteBufAllocator.preferringHeap(pool).buffer();
    assertThat(direct.isDirect()).isTrue();
    assertThat(heap.isDirect()).isFalse();
    assertThat(allocator.ioBuffer().release()).isTrue();
    direct.release();
    heap.release();
  }

  @Test
  void heapBuffer_takesNoMemoryOfThePool() {
    ByteBuf buffer = allocator.heapBuffer(100);
    assertThat(buffer.hasArray()).isTrue();
    assertThat(buffer.alloc()).isSameAs(allocator);
    assertThat(pool.statistics().bytesInUse()).isZero();
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(100);
    buffer.release();
  }

  @Test
  void compositeBuffer_ofDirectComponents_releasesThem() {
    CompositeByteBuf composite = allocator.compositeDirectBuffer();
    composite.addComponent(true, allocator.directBuffer().writeBytes(ascii("one ")));
    composite.addComponent(true, allocator.directBuffer().writeBytes(ascii("two")));
    assertThat(composite.toString(StandardCharsets.US_ASCII)).isEqualTo("one two");
    composite.consolidate(); // into a direct buffer of this allocator
    assertThat(composite.toString(StandardCharsets.US_ASCII)).isEqualTo("one two");
    assertThat(pool.statistics().chunksInUse()).isEqualTo(1);
    composite.release();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void directBuffer_withLeakDetection_isTracked() {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    try {
      ByteBuf buffer = allocator.directBuffer(100);
      assertThat(buffer.getClass().getSimpleName()).isEqualTo("AdvancedLeakAwareByteBuf");
      assertThat(buffer.unwrap()).isInstanceOf(PoolBuffer.class);
      buffer.release();
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  @Test
  void directBuffer_withoutBytes_takesNoMemory() {
    ByteBuf buffer = allocator.directBuffer(0, 16);
    assertThat(pool.statistics().bytesInUse()).isZero();
    buffer.writeLong(42);
    assertThat(buffer.readLong()).isEqualTo(42);
    buffer.release();
  }

  @Test
  void toString_ofTheAllocator_hasTheBytesOfBuffers() {
    ByteBuf buffer = allocator.directBuffer(100);
    assertThat(allocator)
        .hasToString("PoolByteBufAllocator[pool=network, directBytes=100, heapBytes=0]");
    buffer.release();
  }
}
