package dev.stowage.jmx;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.trace.AllocatorSnapshot;
import java.io.IOException;
import java.util.List;

/**
 * The management interface of an allocator or a pool.
 *
 * <p>Attributes cost O(1), and operations O(chunks).
 */
public interface AllocatorMXBean {

  /** {@return the name of the allocator} */
  String getName();

  /** {@return the bytes of the chunks in use, with rounding} */
  long getBytesInUse();

  /** {@return the requested bytes of the allocations in use} */
  long getRequestedBytesInUse();

  /** {@return the most bytes in use at any time} */
  long getPeakBytesInUse();

  /** {@return the bytes that the allocator holds from the system or device} */
  long getReservedBytes();

  /** {@return the most bytes that the allocator held at any time} */
  long getPeakReservedBytes();

  /**
   * {@return the most bytes that the allocator may hold; {@link Long#MAX_VALUE} without a limit}
   */
  long getLimitBytes();

  /** {@return the bytes that are held and not in use} */
  long getFreeBytes();

  /** {@return the bytes of the largest free chunk} */
  long getLargestFreeChunkBytes();

  /** {@return 1 − largest free chunk ÷ free bytes; 0 if nothing is free} */
  double getExternalFragmentation();

  /** {@return 1 − requested ÷ chunk bytes; 0 if nothing is in use} */
  double getInternalFragmentation();

  /** {@return the number of allocations that are not freed} */
  long getChunksInUse();

  /** {@return the number of requests that were granted} */
  long getAllocations();

  /** {@return the number of requests that failed for lack of memory} */
  long getFailedRequests();

  /**
   * {@return the tags that hold the most bytes, the largest first}
   *
   * @param count the largest number of tags
   * @throws IllegalArgumentException if {@code count < 0}
   */
  List<AllocatorReport.Holder> topHolders(int count);

  /** {@return the report of the allocator, about forty lines at most} */
  String report();

  /**
   * Returns free memory to the system or device.
   *
   * @return the number of bytes
   * @throws IllegalStateException if the allocator is closed
   */
  long trim();

  /**
   * Writes all chunks, free ones included, into a file that {@code stowage replay} and PyTorch's
   * viewer read, as {@link AllocatorSnapshot}.
   *
   * @param file the file, which is replaced if it exists
   * @throws IOException if the file cannot be written
   */
  void writeSnapshot(String file) throws IOException;
}
