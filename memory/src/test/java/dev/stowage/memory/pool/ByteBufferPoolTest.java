package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.GuideProgram;
import dev.stowage.testing.NativeCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buffers of the JDK in a pool. */
class ByteBufferPoolTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open("io", host, BfcOptions.expandable().withLimit(1 << 20));
  private final ByteBufferPool buffers = ByteBufferPool.of(pool);

  @AfterEach
  void close() {
    assertThat(buffers.buffersInUse()).isZero();
    assertThat(pool.statistics().bytesInUse()).isZero();
    pool.close();
    host.close();
  }

  @Test
  void allocate_ofSomeBytes_isADirectBufferOfThePool() {
    ByteBuffer buffer = buffers.allocate(1000);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.capacity()).isEqualTo(1000);
    assertThat(buffer.remaining()).isEqualTo(1000);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    buffer.putLong(992, 42);
    assertThat(pool.statistics().bytesInUse()).isGreaterThanOrEqualTo(1000);
    assertThat(buffers).hasToString("ByteBufferPool[pool=io, buffersInUse=1]");
    buffers.free(buffer);
  }

  @Test
  void free_ofABufferWithAnotherState_returnsTheMemory() {
    ByteBuffer buffer = buffers.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
    buffer.position(10).limit(20);
    buffers.free(buffer.asReadOnlyBuffer());
  }

  @Test
  void free_duringNativeCallInDebugMode_failsAndCanBeRepeated() {
    PoolOptions debugging = PoolOptions.standard().withDebugging();
    try (MemoryPool debugged =
        MemoryPool.open("debugged", host, BfcOptions.expandable(), debugging)) {
      ByteBufferPool checked = ByteBufferPool.of(debugged);
      ByteBuffer buffer = checked.allocate(1000);
      NativeCalls.during(
          MemorySegment.ofBuffer(buffer),
          () ->
              assertThatThrownBy(() -> checked.free(buffer))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage(
                      "pool 'debugged': counted block 1 with 1000 bytes is in use by a native call and stays in use: release it again after the call"));
      assertThat(checked.buffersInUse()).isOne();
      buffer.putLong(992, 42);
      checked.free(buffer);
      assertThat(debugged.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void free_byAnotherThread_returnsTheMemory() {
    ByteBuffer buffer = buffers.allocate(1000);
    CompletableFuture.runAsync(() -> buffers.free(buffer)).join();
  }

  @Test
  void free_ofAWrongBuffer_isRejected() {
    ByteBuffer buffer = buffers.allocate(1000);
    String message =
        "nothing to free in pool 'io' for a buffer of %s bytes: pass a buffer that allocate"
            + " returned, once, and no slice of it";
    assertThatThrownBy(() -> buffers.free(buffer.slice(0, 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message, 10);
    assertThatThrownBy(() -> buffers.free(buffer.slice(10, 990)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffers.free(ByteBuffer.allocate(1000)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffers.free(ByteBuffer.allocateDirect(1000)))
        .isInstanceOf(IllegalArgumentException.class);
    buffers.free(buffer);
    assertThatThrownBy(() -> buffers.free(buffer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message, 1000);
  }

  @Test
  void allocate_ofNoBytes_takesNoMemory() {
    ByteBuffer one = buffers.allocate(0);
    ByteBuffer other = buffers.allocate(0);
    assertThat(pool.statistics().bytesInUse()).isZero();
    buffers.free(one);
    buffers.free(other);
  }

  @Test
  void allocate_withoutRoom_isAnException() {
    assertThatThrownBy(() -> buffers.allocate(1 << 21)).isInstanceOf(BfcOutOfMemoryException.class);
  }

  @Test
  void channel_readsIntoABuffer(@TempDir Path folder) throws IOException {
    ByteBuffer buffer = buffers.allocate(100);
    buffer.putLong(42).flip();
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("file"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      assertThat(file.write(buffer)).isEqualTo(8);
      buffer.clear();
      assertThat(file.read(buffer, 0)).isEqualTo(8);
    }
    assertThat(buffer.flip().getLong()).isEqualTo(42);
    buffers.free(buffer);
  }

  @Test
  void example_ofTheGuide_compilesAndRuns(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("docs/adapters.md", "## Buffers of the JDK");
    Path file = Files.writeString(folder.resolve("file"), "text");
    String printed = program.run(folder, "README.md", file.toString());
    assertThat(program.text()).isEqualTo(printed);
  }
}
