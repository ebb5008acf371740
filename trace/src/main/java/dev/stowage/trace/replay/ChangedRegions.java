package dev.stowage.trace.replay;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The regions of an allocator that changed since the last question. Before the first question, no
 * change is kept, so that replays that do not ask pay nothing.
 *
 * @param <T> a region of the allocator, which is compared by identity
 */
public final class ChangedRegions<T> {

  private Optional<Set<T>> changed = Optional.empty();

  /** Creates the changes of an allocator without regions. */
  public ChangedRegions() {}

  /**
   * Takes note of a region that was added, resized or returned.
   *
   * @param region the region
   */
  public void add(T region) {
    changed.ifPresent(known -> known.add(region));
  }

  /**
   * {@return the regions that changed since the last call, in the order of their first changes; in
   * the first call, all regions}
   *
   * @param all all regions
   * @param now returns a region as it is now
   */
  public List<SimulatedAllocator.Region> take(
      Collection<T> all, Function<T, SimulatedAllocator.Region> now) {
    if (changed.isPresent() && changed.get().isEmpty()) {
      return List.of();
    }
    Collection<T> passed = changed.isPresent() ? changed.get() : all;
    List<SimulatedAllocator.Region> regions = passed.stream().map(now).toList();
    changed = Optional.of(new LinkedHashSet<>());
    return regions;
  }
}
