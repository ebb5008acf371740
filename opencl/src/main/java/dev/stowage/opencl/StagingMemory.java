package dev.stowage.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Host memory that the device reaches directly: a buffer of the driver's, mapped for good. */
record StagingMemory(OpenCl api, long queue, long memory, MemorySegment mapped) {

  /** {@return memory that lives as long as an arena, and keeps what it needs for its end} */
  @SuppressWarnings("restricted") // memory of the driver's, which ends with the arena
  static MemorySegment allocate(OpenCl api, long context, long queue, long bytes, Arena arena) {
    long memory = api.buffers().createPinned(context, bytes);
    boolean mapped = false;
    try {
      BufferRange whole = new BufferRange(api.buffers(), 0, memory, 0, bytes);
      MemorySegment start = api.buffers().map(queue, whole, BufferFunctions.MAP_READ_WRITE);
      api.queues().retainQueue(queue);
      StagingMemory staging = new StagingMemory(api, queue, memory, start);
      mapped = true;
      boolean owned = false;
      try {
        MemorySegment segment = start.reinterpret(bytes, arena, _ -> staging.release());
        owned = true;
        return segment;
      } finally {
        if (!owned) { // the arena has ended
          staging.release();
        }
      }
    } finally {
      if (!mapped) {
        api.buffers().release(memory);
      }
    }
  }

  private void release() {
    api.queues().awaitSuccess("unmapping", api.buffers().unmap(queue, memory, mapped));
    api.buffers().release(memory);
    api.queues().releaseQueue(queue);
  }
}
