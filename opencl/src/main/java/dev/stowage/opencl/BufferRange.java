package dev.stowage.opencl;

import java.util.Locale;

/**
 * A range of a buffer, which does not go before this is closed.
 *
 * @param api by which it is let go
 * @param queue its device's, which does not go either
 * @param address the device address, for messages
 * @param memory the buffer's cl_mem
 * @param offset where in it the range starts, in bytes
 * @param bytes its size
 */
record BufferRange(OpenCl api, long queue, long address, long memory, long offset, long bytes)
    implements AutoCloseable {

  /** {@return a part of it, which is closed with it} */
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
