package dev.stowage.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import dev.stowage.testing.GuideProgram;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.OwnershipTransferResult;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buffers of Arrow in a pool. */
class PoolAllocationManagerTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open(
          "columns",
          host,
          BfcOptions.expandable().withLimit(1 << 20),
          PoolOptions.standard().withoutZeroing());
  private final BufferAllocator root =
      new RootAllocator(
          RootAllocator.configBuilder()
              .allocationManagerFactory(PoolAllocationManager.factory(pool))
              .build());

  @AfterEach
  void close() {
    root.close();
    assertThat(pool.statistics().bytesInUse()).isZero();
    pool.close();
    host.close();
  }

  @Test
  void buffer_ofSomeBytes_isMemoryOfThePool() {
    try (ArrowBuf buffer = root.buffer(1000)) { // which Arrow rounds up to a power of two
      for (int i = 0; i < 250; i++) {
        buffer.setInt(4L * i, i);
      }
      assertThat(buffer.getInt(996)).isEqualTo(249);
      assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(1024);
      assertThat(pool.chunks().getFirst().address()).isEqualTo(buffer.memoryAddress());
    }
  }

  @Test
  void example_ofTheGuide_compilesAndRuns(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("docs/adapters.md", "## Arrow");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }

  @Test
  void buffer_withinATag_hasTheTag() {
    try (ArrowBuf _ = AllocationTag.of("batch").call(() -> root.buffer(1000))) {
      assertThat(pool.report().holders().getFirst().tag()).isEqualTo("batch");
    }
  }

  @Test
  void close_byAnotherThread_returnsTheMemory() {
    ArrowBuf buffer = root.buffer(1000);
    CompletableFuture.runAsync(buffer::close).join();
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void transfer_toAnotherAllocator_keepsTheMemory() {
    try (BufferAllocator other = root.newChildAllocator("other", 0, Long.MAX_VALUE)) {
      ArrowBuf buffer = root.buffer(1000);
      buffer.setInt(0, 42);
      OwnershipTransferResult transferred =
          buffer.getReferenceManager().transferOwnership(buffer, other);
      buffer.close();
      try (ArrowBuf ours = transferred.getTransferredBuffer()) {
        assertThat(ours.getInt(0)).isEqualTo(42);
        assertThat(other.getAllocatedMemory()).isEqualTo(1024);
        assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(1024);
      }
    }
  }

  @Test
  void buffer_withoutBytes_takesNoMemory() {
    try (ArrowBuf buffer = root.buffer(0)) {
      assertThat(buffer.capacity()).isZero();
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void buffer_withoutRoomInThePool_throwsArrowsException() {
    assertThatThrownBy(() -> root.buffer(1 << 21))
        .isInstanceOf(OutOfMemoryException.class)
        .hasMessageStartingWith(
            "allocator 'columns' is out of memory: 2 MiB (2,097,152 bytes) requested. ")
        .hasCauseInstanceOf(BfcOutOfMemoryException.class);
    assertThat(root.getAllocatedMemory()).isZero();
  }

  @Test
  void buffer_beyondTheLimitOfArrow_takesNoMemory() {
    try (BufferAllocator limited = root.newChildAllocator("limited", 0, 1024)) {
      assertThatThrownBy(() -> limited.buffer(2048)).isInstanceOf(OutOfMemoryException.class);
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void factory_asText_namesThePool() {
    assertThat(PoolAllocationManager.factory(pool))
        .hasToString("PoolAllocationManager.factory(pool 'columns')");
  }
}
