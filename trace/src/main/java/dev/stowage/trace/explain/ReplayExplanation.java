package dev.stowage.trace.explain;

import dev.stowage.trace.replay.MemoryUse;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The holders of memory at a moment of a replay, and the obstacles to its use.
 *
 * @param event the number of the event after which memory is explained; 0 for the moment before the
 *     first event
 * @param isPeak true if the most requested bytes were first in use then
 * @param use the use of memory at this moment
 * @param holders the holders by line, stack, tag and stream
 * @param pins the regions with the most free bytes that cannot be released
 * @param pinCount the number of such regions
 * @param mostFragmented the first moment with the largest external fragmentation
 * @param mostScattered the first moment with the most free bytes outside the largest free block
 * @param failure the worst failure; empty if no request failed
 */
public record ReplayExplanation(
    long event,
    boolean isPeak,
    MemoryUse use,
    Map<Grouping, Holders> holders,
    List<PinnedRegion> pins,
    long pinCount,
    Moment mostFragmented,
    Moment mostScattered,
    Optional<WorstFailure> failure) {

  /**
   * The use of memory after an event.
   *
   * @param event the number of the event; 0 for the moment before the first event
   * @param use the use of memory
   */
  public record Moment(long event, MemoryUse use) {}

  /** The groupings of an explanation. */
  static final List<Grouping> GROUPINGS =
      List.of(Grouping.LINE, Grouping.STACK, Grouping.TAG, Grouping.STREAM);

  /** Creates an explanation. */
  public ReplayExplanation {
    holders = Collections.unmodifiableMap(new EnumMap<>(holders));
    pins = List.copyOf(pins);
  }
}
