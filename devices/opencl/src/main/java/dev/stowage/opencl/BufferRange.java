package dev.stowage.opencl;

import java.util.Locale;

/**
 * A range of a buffer. The buffer and the queue are retained until the range is closed.
 *
 * @param address the device address, for messages
 * @param memory the cl_mem of the buffer
 * @param offset the offset of the range in the buffer, in bytes
 * @param bytes the size
 * @param release releases the buffer and the queue
 */
record BufferRange(long address, long memory, long offset, long bytes, Runnable release)
    implements AutoCloseable {

  /** {@return a part of the range, valid until the range is closed} */
  BufferRange part(long start, long partBytes) {
    return new BufferRange(address + start, memory, offset + start, partBytes, release);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d bytes at 0x%x", bytes, address);
  }

  @Override
  public void close() {
    release.run();
  }
}
