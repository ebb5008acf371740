package dev.stowage.trace.explain;

import dev.stowage.trace.replay.MemoryUse;
import dev.stowage.trace.replay.ReservedMemory;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The holders of memory at a moment of a replay, and the obstacles to its use.
 *
 * @param moment the moment for which memory is explained
 * @param isPeak true if the moment is the first peak of requested bytes
 * @param reserved the reserved memory by reason
 * @param holders the holders by line, stack, tag and stream
 * @param pins the regions that cannot be released
 * @param failure the worst failure; empty if no request failed
 */
public record ReplayExplanation(
    Moment moment,
    boolean isPeak,
    ReservedMemory reserved,
    Map<Grouping, Holders> holders,
    Pins pins,
    Optional<WorstFailure> failure) {

  /**
   * The use of memory after an event.
   *
   * @param event the number of the event; 0 for the moment before the first event
   * @param use the use of memory
   */
  public record Moment(long event, MemoryUse use) {}

  /**
   * The regions with free bytes that cannot be released.
   *
   * @param count the number of such regions
   * @param largest those with the most free bytes
   */
  public record Pins(long count, List<PinnedRegion> largest) {

    /** Creates a list of regions. */
    public Pins {
      largest = List.copyOf(largest);
    }
  }

  /** {@return the groupings of an explanation; the chunks of recorded memory have no stacks} */
  static List<Grouping> groupings(TraceColumns columns) {
    if (columns.hasMemory()) {
      return columns.hasTags() ? List.of(Grouping.TAG, Grouping.SIZE) : List.of(Grouping.SIZE);
    }
    return List.of(Grouping.LINE, Grouping.STACK, Grouping.TAG, Grouping.STREAM);
  }

  /** Creates an explanation. */
  public ReplayExplanation {
    holders = Collections.unmodifiableMap(new EnumMap<>(holders));
  }
}
