package dev.stowage.onnxruntime;

import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for requests that the allocator refuses: of the C library or of a device. It has no limit.
 */
final class OverflowMemory {

  /** The result if there is no memory. */
  static final long NONE = 0;

  private final SubAllocator source;

  /** The blocks in use by addresses. */
  private final ConcurrentHashMap<Long, Block> blocks = new ConcurrentHashMap<>();

  /** The freed blocks that the source has not taken back. */
  private final ConcurrentHashMap<Long, Block> freed = new ConcurrentHashMap<>();

  private final AtomicLong bytesInUse = new AtomicLong();
  private final AtomicLong peakBytesInUse = new AtomicLong();

  private record Block(long bytes, long takenBytes) {}

  /**
   * @param source provides a region for each block
   */
  OverflowMemory(SubAllocator source) {
    this.source = source;
  }

  /** {@return the address of new memory, or {@link #NONE} if the source has none} */
  long allocate(long bytes) {
    long unit = source.granularityBytes();
    if (bytes > Long.MAX_VALUE - unit) {
      return NONE;
    }
    long taken = (bytes + unit - 1) / unit * unit;
    OptionalLong address = source.allocate(taken);
    if (address.isEmpty()) {
      return NONE;
    }
    try {
      blocks.put(address.getAsLong(), new Block(bytes, taken));
    } catch (Throwable failure) {
      source.free(address.getAsLong(), taken);
      throw failure;
    }
    peakBytesInUse.accumulateAndGet(bytesInUse.addAndGet(bytes), Math::max);
    return address.getAsLong();
  }

  /**
   * Frees the memory at an address and {@return true if it was overflow memory}
   *
   * @throws RuntimeException if the source does not take the memory back; the next free tries again
   */
  boolean freed(long address) {
    if (blocks.isEmpty()) {
      return false;
    }
    Block block = blocks.remove(address);
    if (block == null) {
      return false;
    }
    returnBlock(address, block);
    returnFreed();
    return true;
  }

  /**
   * Returns freed memory that the source has not taken back.
   *
   * @throws RuntimeException if the source does not take it back; the next call tries again
   */
  void returnFreed() {
    for (Long address : freed.keySet()) {
      Block block = freed.remove(address);
      if (block != null) { // else another thread returns it
        returnBlock(address, block);
      }
    }
  }

  private void returnBlock(long address, Block block) {
    try {
      source.free(address, block.takenBytes());
    } catch (Throwable failure) {
      freed.put(address, block);
      throw failure;
    }
    bytesInUse.addAndGet(-block.bytes());
  }

  /** {@return the addresses in use} */
  Set<Long> addresses() {
    return Set.copyOf(blocks.keySet());
  }

  long count() {
    return blocks.size();
  }

  /** {@return the bytes in use, and the freed bytes that the source has not taken back} */
  long bytesInUse() {
    return bytesInUse.get();
  }

  long peakBytesInUse() {
    return peakBytesInUse.get();
  }
}
