package dev.stowage.onnxbudget.memory;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.replay.SimulatedRegions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A simulation of the arena of a session of ONNX Runtime, without memory.
 *
 * <p>The arena is a BFC allocator whose regions double from 1 MiB. Reserved memory is outside the
 * regions and has no rounding, but the statistics count it.
 */
final class EngineArena {

  private final BfcAllocator allocator =
      BfcAllocator.unrecorded("arena", new SimulatedRegions(false), BfcOptions.growing());

  /** The addresses of allocated memory. */
  private final Map<Integer, Long> addresses = new HashMap<>();

  /** The sizes of reserved memory. */
  private final Map<Integer, Long> reserved = new HashMap<>();

  private long reservedBytes;
  private long maxInUseBytes;

  /**
   * Handles requests in their order.
   *
   * @param requests the requests
   */
  void handle(List<Request> requests) {
    requests.forEach(this::handle);
  }

  /**
   * Handles a request.
   *
   * @param request the request
   */
  void handle(Request request) {
    switch (request) {
      case Request.Reserve(int id, long bytes) -> {
        reserved.put(id, bytes);
        reservedBytes += bytes;
      }
      case Request.Allocate(int id, long bytes) -> {
        if (bytes > 0) {
          addresses.put(id, allocator.allocate(bytes));
        }
      }
      case Request.Free(int id) -> {
        Long bytes = reserved.remove(id);
        Long address = addresses.remove(id);
        if (bytes != null) {
          reservedBytes -= bytes;
        }
        if (address != null) {
          allocator.free(address);
        }
      }
    }
    maxInUseBytes = Math.max(maxInUseBytes, inUseBytes());
  }

  /** {@return the bytes in use, with the rounding of chunks: {@code InUse}} */
  long inUseBytes() {
    return allocator.statistics().bytesInUse() + reservedBytes;
  }

  /** {@return the highest number of bytes in use so far: {@code MaxInUse}} */
  long maxInUseBytes() {
    return maxInUseBytes;
  }

  /** {@return the bytes taken from the system: {@code TotalAllocated}} */
  long totalAllocatedBytes() {
    return allocator.statistics().reservedBytes() + reservedBytes;
  }
}
