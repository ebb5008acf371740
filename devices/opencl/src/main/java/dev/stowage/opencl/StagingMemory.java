package dev.stowage.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** Host memory with direct access by the device: a buffer of the driver that stays mapped. */
record StagingMemory(OpenCl api, long queue, long memory, MemorySegment mapped) {

  /**
   * {@return memory that lives as long as an arena, and keeps its queue and buffer until then}
   *
   * @param queue a queue that the caller has retained; it is released with the memory
   */
  @SuppressWarnings("restricted") // memory of the driver, which ends with the arena
  static MemorySegment allocate(OpenCl api, long context, long queue, long bytes, Arena arena) {
    StagingMemory staging = map(api, context, queue, bytes);
    try {
      return staging.mapped.reinterpret(bytes, arena, _ -> staging.release());
    } catch (RuntimeException | Error failed) { // the arena is closed
      staging.release();
      throw failed;
    }
  }

  private static StagingMemory map(OpenCl api, long context, long queue, long bytes) {
    OptionalLong memory = OptionalLong.empty();
    try {
      memory = OptionalLong.of(api.buffers().createPinned(context, bytes));
      BufferRange whole = new BufferRange(0, memory.getAsLong(), 0, bytes, () -> {});
      MemorySegment start = api.buffers().map(queue, whole, BufferFunctions.MAP_READ_WRITE);
      return new StagingMemory(api, queue, memory.getAsLong(), start);
    } catch (RuntimeException | Error failed) {
      memory.ifPresent(api.buffers()::release);
      api.queues().releaseQueue(queue);
      throw failed;
    }
  }

  private void release() {
    api.queues().awaitSuccess("unmapping", api.buffers().unmap(queue, memory, mapped));
    api.buffers().release(memory);
    api.queues().releaseQueue(queue);
  }
}
