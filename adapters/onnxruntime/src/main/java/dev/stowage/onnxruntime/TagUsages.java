package dev.stowage.onnxruntime;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums of allocations by tag. Thread-safe. */
final class TagUsages {

  private final Map<String, Total> totals = new HashMap<>();
  private final Map<Long, Held> held = new HashMap<>();
  private long bytesInUse;

  /** The largest number of bytes in use since the last call of {@link #takePeak}. */
  private long peakBytes;

  private static final class Total {
    private long allocations;
    private long bytesInUse;
    private long peakBytes;
  }

  /** An allocation in use. */
  private record Held(Total total, long bytes) {}

  /** Adds an allocation. */
  synchronized void add(String tag, long address, long bytes) {
    Total total = totals.computeIfAbsent(tag, _ -> new Total());
    held.put(address, new Held(total, bytes));
    total.allocations++;
    total.bytesInUse += bytes;
    total.peakBytes = Math.max(total.peakBytes, total.bytesInUse);
    bytesInUse += bytes;
    peakBytes = Math.max(peakBytes, bytesInUse);
  }

  /** Removes the allocation at an address, if there is one. */
  synchronized void remove(long address) {
    Held freed = held.remove(address);
    if (freed != null) {
      freed.total.bytesInUse -= freed.bytes;
      bytesInUse -= freed.bytes;
    }
  }

  /** {@return the largest number of bytes in use since the last call} */
  synchronized long takePeak() {
    long peak = peakBytes;
    peakBytes = bytesInUse;
    return peak;
  }

  /** {@return the addresses of the allocations} */
  synchronized Set<Long> addresses() {
    return Set.copyOf(held.keySet());
  }

  /** {@return the usage of all tags, the largest peak first, then by name} */
  synchronized List<OnnxRuntimeReport.TagUsage> list() {
    return totals.entrySet().stream()
        .map(entry -> usage(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingLong(OnnxRuntimeReport.TagUsage::peakRequestedBytes)
                .reversed()
                .thenComparing(OnnxRuntimeReport.TagUsage::tag))
        .toList();
  }

  private static OnnxRuntimeReport.TagUsage usage(String tag, Total total) {
    return new OnnxRuntimeReport.TagUsage(
        tag, total.allocations, total.bytesInUse, total.peakBytes);
  }
}
