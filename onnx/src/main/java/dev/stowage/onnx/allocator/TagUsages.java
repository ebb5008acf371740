package dev.stowage.onnx.allocator;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what is allocated, by tag; safe for use by many threads. */
final class TagUsages {

  private final Map<String, Total> totals = new HashMap<>();
  private final Map<Long, Held> held = new HashMap<>();

  private static final class Total {
    private long allocations;
    private long bytesInUse;
    private long peakBytes;
  }

  /** What is in use at an address. */
  private record Held(Total total, long bytes) {}

  /** Adds what is in use at an address from now on. */
  synchronized void add(String tag, long address, long bytes) {
    Total total = totals.get(tag);
    if (total == null) {
      total = new Total();
      totals.put(tag, total);
    }
    held.put(address, new Held(total, bytes));
    total.allocations++;
    total.bytesInUse += bytes;
    total.peakBytes = Math.max(total.peakBytes, total.bytesInUse);
  }

  /** Takes away what is in use at an address, if that was added. */
  synchronized void remove(long address) {
    Held freed = held.remove(address);
    if (freed != null) {
      freed.total.bytesInUse -= freed.bytes;
    }
  }

  /** {@return all tags, the largest peak first, of equal ones the first by name} */
  synchronized List<TagUsage> list() {
    return totals.entrySet().stream()
        .map(entry -> usage(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingLong(TagUsage::peakRequestedBytes)
                .reversed()
                .thenComparing(TagUsage::tag))
        .toList();
  }

  private static TagUsage usage(String tag, Total total) {
    return new TagUsage(tag, total.allocations, total.bytesInUse, total.peakBytes);
  }
}
