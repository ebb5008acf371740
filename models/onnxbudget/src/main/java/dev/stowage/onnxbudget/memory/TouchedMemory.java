package dev.stowage.onnxbudget.memory;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.replay.SimulatedRegions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bytes of an arena that requests have used at any time. A system counts them as resident, in
 * contrast to parts of regions that no request has used.
 */
final class TouchedMemory {

  private final BfcAllocator allocator =
      BfcAllocator.unrecorded("arena", new SimulatedRegions(false), BfcOptions.growing());
  private final Map<Integer, Long> addresses = new HashMap<>();

  /** The ends of disjoint ranges that were in use, by their starts. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  private final Map<Integer, Long> reserved = new HashMap<>();
  private long reservedBytes;
  private long mostReservedBytes;

  private TouchedMemory() {}

  /** {@return the bytes that requests use, without an arena those in use at a time} */
  static long bytes(List<Request> requests, boolean hasArena) {
    if (!hasArena) {
      return RunPrediction.peakBytes(requests);
    }
    TouchedMemory memory = of(requests);
    return memory.mostReservedBytes + memory.touchedBytes();
  }

  /** {@return the bytes of an arena that requests use, without reserved memory} */
  static long arenaBytes(List<Request> requests) {
    return of(requests).touchedBytes();
  }

  private static TouchedMemory of(List<Request> requests) {
    TouchedMemory memory = new TouchedMemory();
    requests.forEach(memory::handle);
    return memory;
  }

  private long touchedBytes() {
    long bytes = 0;
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      bytes += range.getValue() - range.getKey();
    }
    return bytes;
  }

  private void handle(Request request) {
    switch (request) {
      case Request.Reserve(int id, long bytes) -> {
        reserved.put(id, bytes);
        reservedBytes += bytes;
        mostReservedBytes = Math.max(mostReservedBytes, reservedBytes);
      }
      case Request.Allocate(int id, long bytes) -> {
        if (bytes > 0) {
          long address = allocator.allocate(bytes);
          addresses.put(id, address);
          touch(address, Math.addExact(address, bytes));
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
  }

  private void touch(long start, long end) {
    long first = start;
    long last = end;
    Map.Entry<Long, Long> before = ranges.floorEntry(first);
    if (before != null && before.getValue() >= first) {
      first = before.getKey();
      last = Math.max(last, before.getValue());
    }
    Map.Entry<Long, Long> next = ranges.higherEntry(first);
    while (next != null && next.getKey() <= last) {
      last = Math.max(last, next.getValue());
      ranges.remove(next.getKey());
      next = ranges.higherEntry(first);
    }
    ranges.put(first, last);
  }
}
