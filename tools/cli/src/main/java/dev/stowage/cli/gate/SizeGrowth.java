package dev.stowage.cli.gate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/**
 * The growth of a figure or a part.
 *
 * @param before the size in the baseline; 0 for a new one
 * @param now the size
 */
record SizeGrowth(String name, long before, long now) {

  /** {@return the sizes that grew or are new, the largest growth first} */
  static List<SizeGrowth> between(SortedMap<String, Long> before, SortedMap<String, Long> now) {
    List<SizeGrowth> growths = new ArrayList<>();
    now.forEach((name, size) -> {
      SizeGrowth growth = new SizeGrowth(name, before.getOrDefault(name, 0L), size);
      if (growth.bytes() > 0) {
        growths.add(growth);
      }
    });
    growths.sort(
        Comparator.comparingLong(SizeGrowth::bytes).reversed().thenComparing(SizeGrowth::name));
    return growths;
  }

  long bytes() {
    return now - before;
  }
}
