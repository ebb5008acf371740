package dev.stowage.allocator;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The charges to an account by tag. Guarded by the lock of its tree. */
final class TagSums {

  /** The number of unused sums that are kept, beside as many as are in use. */
  private static final int FEWEST_UNUSED = 16;

  private static final class Sum {
    private long bytes;
    private long charges;
    private boolean isKept;
  }

  private final Map<String, Sum> sums = new HashMap<>();

  /** The latest tag and its sum, which the end of a charge often has again. */
  private String latestTag = "";

  private Sum latest = new Sum();

  /** The number of sums with charges. */
  private int used;

  /** Adds bytes and charges of a tag, or removes them if negative. */
  void add(String tag, long bytes, long charges) {
    Sum sum = sum(tag);
    long before = sum.charges;
    sum.bytes += bytes;
    sum.charges += charges;
    if (before == 0) {
      used++;
    }
    if (sum.charges == 0) {
      used--;
      removeUnused();
    }
  }

  @SuppressWarnings("ReferenceEquality") // only a short cut
  private Sum sum(String tag) {
    if (tag != latestTag || !latest.isKept) {
      latest = sums.computeIfAbsent(tag, _ -> new Sum());
      latest.isKept = true;
      latestTag = tag;
    }
    return latest;
  }

  /** {@return true if there is no charge, not even of 0 bytes} */
  boolean isEmpty() {
    return used == 0;
  }

  /** Removes unused sums if they outnumber the others: a program may use each tag only once. */
  private void removeUnused() {
    if (sums.size() > FEWEST_UNUSED + 2 * used) {
      sums.values().removeIf(sum -> sum.charges == 0);
      latest = new Sum();
    }
  }

  /** {@return the charges of each tag, the largest first, of equal ones the first by name} */
  List<AllocatorReport.Holder> holders() {
    return sums.entrySet().stream()
        .filter(entry -> entry.getValue().charges > 0)
        .map(entry -> holder(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingLong(AllocatorReport.Holder::bytes)
                .reversed()
                .thenComparing(AllocatorReport.Holder::tag))
        .toList();
  }

  private static AllocatorReport.Holder holder(String tag, Sum sum) {
    return new AllocatorReport.Holder(tag, sum.charges, sum.bytes, sum.bytes);
  }
}
