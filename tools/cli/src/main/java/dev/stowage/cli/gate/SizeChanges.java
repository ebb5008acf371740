package dev.stowage.cli.gate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The growth of sizes that have names, such as those of weights. */
public final class SizeChanges {

  /**
   * The growth of a size.
   *
   * @param before the size in the baseline; 0 for a new one
   * @param now the size
   * @param isNew true if the baseline does not have it
   */
  public record Growth(String name, long before, long now, boolean isNew) {

    public long bytes() {
      return now - before;
    }
  }

  private static final Comparator<Growth> LARGEST_FIRST =
      Comparator.comparingLong(Growth::bytes).reversed().thenComparing(Growth::name);

  private SizeChanges() {}

  /**
   * {@return the sizes that grew or are new, the largest growth first}
   *
   * <p>A name that the baseline does not have is a renamed one if a size of the baseline that has
   * no name any more is equal.
   */
  public static List<Growth> of(SortedMap<String, Long> before, SortedMap<String, Long> now) {
    Map<Long, Deque<String>> vanished = new HashMap<>();
    before.forEach((name, size) -> {
      if (!now.containsKey(name)) {
        vanished.computeIfAbsent(size, _ -> new ArrayDeque<>()).add(name);
      }
    });
    List<Growth> growths = new ArrayList<>();
    now.forEach((name, size) -> {
      Long old = before.get(name);
      if (old != null) {
        growths.add(new Growth(name, old, size, false));
      } else if (vanished.getOrDefault(size, new ArrayDeque<>()).poll() == null) {
        growths.add(new Growth(name, 0, size, true));
      }
    });
    return growths.stream().filter(growth -> growth.bytes() > 0).sorted(LARGEST_FIRST).toList();
  }
}
