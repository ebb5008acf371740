package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The smallest changes with which a failed request would have passed.
 *
 * <p>Each change is sufficient alone, and applies to the moment of the failure. A run that starts
 * with a change may place other allocations elsewhere, and fail again. Three things are assumed
 * about the sub-allocator. It provides a region within the limit, unless it refused one for this
 * request. It lengthens regions, unless it refused the last time. It provides returned memory
 * again. If it has ever refused memory, a change that needs memory from it is reported only as
 * possible.
 *
 * @param device the answers of the sub-allocator so far
 * @param garbage the free regions
 * @param higherLimits higher limits; none if no limit is high enough or a higher limit does not
 *     help
 * @param obstacle the allocations that would have to be freed; empty if no region is long enough,
 *     or the region has two ends
 */
record Remedy(
    Device device, Garbage garbage, List<HigherLimit> higherLimits, Optional<Obstacle> obstacle) {

  /** The answers of a sub-allocator. */
  enum Device {

    /** It has never refused memory. */
    PROVIDES,

    /** It has refused memory to another request. */
    HAS_REFUSED,

    /** It has refused memory to this request. */
    REFUSES
  }

  /**
   * The regions without allocations.
   *
   * @param bytes their bytes
   * @param isEnough true if the request would have passed with garbage collection
   */
  record Garbage(long bytes, boolean isEnough) {}

  /**
   * A higher limit.
   *
   * @param moreBytes the bytes by which the limit is too low
   * @param isLimitedAbove true if the allocator above also has a limit
   * @param isFromStart true if it helps only a region that is still to be added, so that places may
   *     differ
   */
  record HigherLimit(long moreBytes, boolean isLimitedAbove, boolean isFromStart) {

    private String describe() {
      return String.format(
          Locale.ROOT,
          "with a limit higher by %s%s%s",
          ByteCount.exact(moreBytes),
          isFromStart ? " from the start" : "",
          isLimitedAbove ? ", also of its allocator" : "");
    }
  }

  /** {@return the changes in one sentence; empty if none is known} */
  String describe() {
    boolean mayDeviceRefuse = device != Device.PROVIDES;
    List<String> certain = new ArrayList<>();
    List<String> possible = new ArrayList<>();
    if (garbage.isEnough) {
      (mayDeviceRefuse ? possible : certain).add("with garbage collection of free regions");
    }
    for (HigherLimit limit : higherLimits) {
      (mayDeviceRefuse || limit.isFromStart ? possible : certain).add(limit.describe());
    }
    obstacle.ifPresent(wall ->
        (mayDeviceRefuse && wall.needsDevice() ? possible : certain)
            .add("without " + wall.describe()));
    return certain.isEmpty() && possible.isEmpty() ? noChange() : sentence(certain, possible);
  }

  private static String sentence(List<String> certain, List<String> possible) {
    List<String> parts = new ArrayList<>();
    if (!certain.isEmpty()) {
      parts.add("would have passed " + String.join(", or ", certain));
    }
    if (!possible.isEmpty()) {
      parts.add("might have passed " + String.join(", or ", possible));
    }
    return "The request " + String.join(", and ", parts) + ".";
  }

  private String noChange() {
    if (device != Device.REFUSES) {
      return "No limit is high enough.";
    }
    return garbage.bytes == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "The request might have passed with garbage collection: wholly free regions have %s.",
            ByteCount.text(garbage.bytes));
  }
}
