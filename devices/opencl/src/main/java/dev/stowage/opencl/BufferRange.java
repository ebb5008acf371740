package dev.stowage.opencl;

import java.util.Locale;

/**
 * A range of a buffer. The buffer and the queue are retained until the range is closed.
 *
 * @param api the library
 * @param queue the queue of the device
 * @param address the device address, for messages
 * @param memory the cl_mem of the buffer
 * @param offset the offset of the range in the buffer, in bytes
 * @param bytes the size
 */
record BufferRange(OpenCl api, long queue, long address, long memory, long offset, long bytes)
    implements AutoCloseable {

  /** {@return a part of the range, valid until the range is closed} */
  BufferRange part(long start, long partBytes) {
    return new BufferRange(api, queue, address + start, memory, offset + start, partBytes);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d bytes at 0x%x", bytes, address);
  }

  @Override
  public void close() {
    api.buffers().release(memory);
    api.queues().releaseQueue(queue);
  }
}
