package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import dev.stowage.testing.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffers of a pool and Netty's heap buffers get the same random operations. */
class PoolBufferRandomTest {

  private static final int MAX_BYTES = 3000;

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithAHeapBuffer(long seed) throws IOException {
    Random random = new Random(seed);
    try (HostMemory host = HostMemory.open();
        MemoryPool pool =
            MemoryPool.open(
                "random", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging())) {
      PoolByteBufAllocator allocator = PoolByteBufAllocator.of(pool);
      int capacity = 1 + random.nextInt(MAX_BYTES);
      ByteBuf buffer = allocator.directBuffer(capacity, MAX_BYTES);
      ByteBuf model = Unpooled.buffer(capacity, MAX_BYTES);
      for (int step = 0; step < 200; step++) {
        change(buffer, model, random);
        assertThat(buffer).isEqualTo(model);
        assertThat(buffer.capacity()).isEqualTo(model.capacity());
        compareReads(buffer, model, random);
      }
      buffer.release();
      assertThat(pool.statistics().bytesInUse()).isZero();
      pool.checkFreed();
    }
  }

  private static void change(ByteBuf buffer, ByteBuf model, Random random) throws IOException {
    int capacity = model.capacity();
    if (capacity < 8 || random.nextInt(10) == 0) {
      int newCapacity = 8 + random.nextInt(MAX_BYTES - 7);
      buffer.capacity(newCapacity);
      model.capacity(newCapacity);
      for (int i = capacity; i < newCapacity; i++) { // which may have earlier bytes
        buffer.setByte(i, 0);
      }
      return;
    }
    int index = random.nextInt(capacity - 7);
    long value = random.nextLong();
    byte[] bytes = new byte[1 + random.nextInt(capacity - index)];
    random.nextBytes(bytes);
    int kind = random.nextInt(12);
    set(buffer, kind, index, value, bytes);
    set(model, kind, index, value, bytes);
    buffer.writerIndex(capacity);
    model.writerIndex(capacity);
    if (kind == 0) {
      buffer.setBytes(index, model.copy(index, bytes.length));
    }
  }

  private static void set(ByteBuf buffer, int kind, int index, long value, byte[] bytes)
      throws IOException {
    switch (kind) {
      case 0 -> buffer.setByte(index, (int) value);
      case 1 -> buffer.setShort(index, (int) value);
      case 2 -> buffer.setShortLE(index, (int) value);
      case 3 -> buffer.setMedium(index, (int) value);
      case 4 -> buffer.setMediumLE(index, (int) value);
      case 5 -> buffer.setInt(index, (int) value);
      case 6 -> buffer.setIntLE(index, (int) value);
      case 7 -> buffer.setLong(index, value);
      case 8 -> buffer.setLongLE(index, value);
      case 9 -> buffer.setBytes(index, bytes);
      case 10 -> buffer.setBytes(index, ByteBuffer.wrap(bytes).asReadOnlyBuffer());
      default ->
          assertThat(buffer.setBytes(index, new ByteArrayInputStream(bytes), bytes.length))
              .isEqualTo(bytes.length);
    }
  }

  private static void compareReads(ByteBuf buffer, ByteBuf model, Random random)
      throws IOException {
    int index = random.nextInt(Math.max(1, model.capacity() - 7));
    int length = random.nextInt(model.capacity() - index + 1);
    if (model.capacity() - index >= 8) {
      compare(buffer, model, one -> one.getUnsignedMedium(index));
      compare(buffer, model, one -> one.getUnsignedMediumLE(index));
      compare(buffer, model, one -> one.getShortLE(index));
      compare(buffer, model, one -> one.getInt(index));
      compare(buffer, model, one -> one.getIntLE(index));
      compare(buffer, model, one -> one.getLong(index));
      compare(buffer, model, one -> one.getLongLE(index));
    }
    compare(buffer, model, one -> one.nioBuffer(index, length));
    compare(buffer, model, one -> one.internalNioBuffer(index, length));
    compare(buffer, model, one -> Unpooled.buffer(length).writeBytes(one, index, length));
    compare(buffer, model, one -> one.slice(index, length));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buffer.getBytes(index, out, length);
    byte[] expected = new byte[length];
    model.getBytes(index, expected);
    assertThat(out.toByteArray()).isEqualTo(expected);
    ByteBuf copy = buffer.copy(index, length);
    assertThat(copy).isEqualTo(model.copy(index, length));
    copy.release();
  }

  private static void compare(ByteBuf buffer, ByteBuf model, Function<ByteBuf, Object> read) {
    assertThat(read.apply(buffer)).isEqualTo(read.apply(model));
  }
}
