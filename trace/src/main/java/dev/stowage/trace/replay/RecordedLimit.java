package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotEvents;
import java.util.Optional;

/**
 * The limit of a recorded allocator, as the requests that failed show it.
 *
 * <p>A request fails if the reserved bytes and the region that it needs are more than the limit. So
 * the limit is at least the largest reserved bytes that the recording has, and less than each of
 * these sums.
 *
 * @param lowBytes the least limit that the recording permits
 * @param highBytes the highest one
 * @param deviceBytes all bytes that the device could give, at the first failure that agrees with
 *     the range, or else at the first failure; {@link SnapshotEvents#UNKNOWN} if they are not
 *     recorded
 */
public record RecordedLimit(long lowBytes, long highBytes, long deviceBytes) {

  /** {@return true if a limit explains the failures; false if the device had other reasons} */
  public boolean isPossible() {
    return lowBytes <= highBytes;
  }

  /** {@return true if the program set the limit: the device had more */
  public boolean isOfProgram() {
    return deviceBytes > highBytes;
  }

  /** {@return true if the memory of the device is the limit, so that its bytes are known} */
  public boolean isOfDevice() {
    return deviceBytes >= lowBytes && deviceBytes <= highBytes;
  }

  /** {@return the limit of a replay: the memory of the device, or else the least possible limit} */
  public long bytes() {
    return isOfDevice() ? deviceBytes : lowBytes;
  }

  /** The range while the events of a recording are read. */
  static final class Range {

    private long lowBytes;
    private long highBytes = Long.MAX_VALUE;
    private long deviceBytes = SnapshotEvents.UNKNOWN;
    private boolean hasFailures;

    /**
     * Takes note of bytes that the allocator held, or that its rules permitted.
     *
     * @param bytes the bytes of all regions
     */
    void held(long bytes) {
      lowBytes = Math.max(lowBytes, bytes);
    }

    /**
     * Takes note of a request that failed.
     *
     * @param reservedBytes the bytes of all regions
     * @param neededBytes the region that the request needs
     * @param freeBytes the free bytes of the device, or {@link SnapshotEvents#UNKNOWN}
     */
    void failed(long reservedBytes, long neededBytes, long freeBytes) {
      long sum =
          neededBytes > Long.MAX_VALUE - reservedBytes
              ? Long.MAX_VALUE
              : reservedBytes + neededBytes;
      highBytes = Math.min(highBytes, sum - 1);
      if (freeBytes >= 0 && !isOfDevice()) {
        long total =
            freeBytes > Long.MAX_VALUE - reservedBytes ? Long.MAX_VALUE : reservedBytes + freeBytes;
        if (!hasFailures || (total >= lowBytes && total <= highBytes)) {
          deviceBytes = total;
        }
      }
      hasFailures = true;
    }

    private boolean isOfDevice() {
      return deviceBytes >= lowBytes && deviceBytes <= highBytes;
    }

    /** {@return the limit; empty if no request failed} */
    Optional<RecordedLimit> limit() {
      return hasFailures
          ? Optional.of(new RecordedLimit(lowBytes, highBytes, deviceBytes))
          : Optional.empty();
    }
  }
}
