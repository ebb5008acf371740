package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A report of allocations in use.
 *
 * @param allocator the name of the allocator
 * @param allocations the allocations by ascending address
 */
public record InUseReport(String allocator, List<Allocation> allocations) {

  private static final int HOLDERS_SHOWN = 10;
  private static final int STACKS_SHOWN = 3;
  private static final int FRAMES_SHOWN = 12;

  /** Creates a report. */
  public InUseReport {
    allocations = List.copyOf(allocations);
  }

  /** {@return true if there are no allocations} */
  public boolean isEmpty() {
    return allocations.isEmpty();
  }

  /** {@return the sums by tag, the largest first} */
  public List<AllocatorReport.Holder> holders() {
    return AllocatorReport.Holder.of(allocations);
  }

  /** {@return the requested bytes of all allocations} */
  public long requestedBytes() {
    return allocations.stream().mapToLong(Allocation::requestedBytes).sum();
  }

  /** {@return the report as text, with a few dozen lines at most} */
  @Override
  public String toString() {
    String sum =
        String.format(
            Locale.ROOT,
            "allocator '%s' has %s in use by %s",
            allocator,
            ByteCount.exact(requestedBytes()),
            AllocatorReport.counted(allocations.size(), "allocation"));
    return isEmpty() ? sum : sum + "\n" + details();
  }

  /** {@return the lines after the first: the holders, and some stacks} */
  String details() {
    List<String> lines = new ArrayList<>();
    List<AllocatorReport.Holder> holders = holders();
    for (AllocatorReport.Holder holder : first(holders, HOLDERS_SHOWN)) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s in %,d: %s",
              ByteCount.exact(holder.requestedBytes()),
              holder.allocations(),
              holder.tag().isEmpty() ? "(no tag)" : holder.tag()));
    }
    if (holders.size() > HOLDERS_SHOWN) {
      lines.add(more(holders.size() - HOLDERS_SHOWN, "tag"));
    }
    List<Allocation> withStacks =
        allocations.stream().filter(allocation -> !allocation.stack().isEmpty()).toList();
    for (Allocation allocation : first(withStacks, STACKS_SHOWN)) {
      lines.add("  " + allocation.describe() + " was requested");
      first(allocation.stack(), FRAMES_SHOWN).forEach(frame -> lines.add("    at " + frame));
    }
    if (withStacks.size() > STACKS_SHOWN) {
      lines.add(more(withStacks.size() - STACKS_SHOWN, "stack"));
    }
    return String.join("\n", lines);
  }

  private static String more(int count, String thing) {
    return String.format(Locale.ROOT, "  and %d more %s%s", count, thing, count == 1 ? "" : "s");
  }

  private static <T> List<T> first(List<T> list, int count) {
    return list.subList(0, Math.min(count, list.size()));
  }
}
