package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what an allocator does, by tag; safe for use by many threads. */
final class TagUsages implements AllocationListener {

  /** What is in use under which tag, by the allocation's number. */
  private record Held(String tag, long bytes) {}

  private final Map<String, TagUsage> byTag = new TreeMap<>();
  private final Map<Long, Held> held = new HashMap<>();

  @Override
  public synchronized void allocated(Allocation allocation) {
    held.put(allocation.id(), new Held(allocation.tag(), allocation.bytes()));
    byTag.compute(
        allocation.tag(),
        (tag, usage) ->
            (usage == null ? new TagUsage(tag, 0, 0, 0) : usage).plus(allocation.bytes()));
  }

  @Override
  public synchronized void freed(long id) {
    Held freed = held.remove(id);
    if (freed != null) { // null if the heap had no room to note it
      byTag.computeIfPresent(freed.tag(), (_, usage) -> usage.minus(freed.bytes()));
    }
  }

  @Override
  public void failed(long bytes) {}

  /** {@return all tags, the largest peak first, of equal ones the first by name} */
  synchronized List<TagUsage> list() {
    return byTag.values().stream()
        .sorted(Comparator.comparingLong(TagUsage::peakBytesInUse).reversed())
        .toList();
  }
}
